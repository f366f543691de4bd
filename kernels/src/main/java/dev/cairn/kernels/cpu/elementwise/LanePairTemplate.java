package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The loop over two operands with a result of their type; used only through copies, see {@link LoopCopy}. */
final class LanePairTemplate extends LaneLoop {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Object> SPECIES;
  private static final VectorOperators.Binary OPERATOR;

  static {
    try {
      LaneFunction function = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME,
        LaneFunction.class);
      SPECIES = function.vectors();
      OPERATOR = (VectorOperators.Binary) function.operator();
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int LANES = SPECIES.length();
  private static final long WIDTH = SPECIES.elementSize() / Byte.SIZE;
  /** The same vectors as whole numbers. */
  private static final VectorSpecies<?> BITS = LaneFunction.bits(SPECIES);
  private static final VectorMask<Object> FIRST = SPECIES.indexInRange(0, 1);

  LanePairTemplate() {}

  @Override
  int lanes() {
    return LANES;
  }

  @Override
  void one(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment target, long at) {
    all(a, aAt).lanewise(OPERATOR, all(b, bAt)).intoMemorySegment(target, at * WIDTH, ORDER, FIRST);
  }

  @Override
  void bothWalk(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    long aAt = runs.offset(0);
    long bAt = runs.offset(1);
    long at = runs.output();
    long last = runs.length() - LANES;
    Vector<Object> end = load(a, aAt + last).lanewise(OPERATOR, load(b, bAt + last));
    for (long i = 0; i < last; i += LANES) {
      load(a, aAt + i).lanewise(OPERATOR, load(b, bAt + i)).intoMemorySegment(target, (at + i) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (at + last) * WIDTH, ORDER);
  }

  @Override
  void firstRepeats(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    Vector<Object> x = all(a, runs.offset(0));
    long bAt = runs.offset(1);
    long at = runs.output();
    long last = runs.length() - LANES;
    Vector<Object> end = x.lanewise(OPERATOR, load(b, bAt + last));
    for (long i = 0; i < last; i += LANES) {
      x.lanewise(OPERATOR, load(b, bAt + i)).intoMemorySegment(target, (at + i) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (at + last) * WIDTH, ORDER);
  }

  @Override
  void secondRepeats(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    Vector<Object> y = all(b, runs.offset(1));
    long aAt = runs.offset(0);
    long at = runs.output();
    long last = runs.length() - LANES;
    Vector<Object> end = load(a, aAt + last).lanewise(OPERATOR, y);
    for (long i = 0; i < last; i += LANES) {
      load(a, aAt + i).lanewise(OPERATOR, y).intoMemorySegment(target, (at + i) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (at + last) * WIDTH, ORDER);
  }

  private static Vector<Object> load(MemorySegment from, long index) {
    return SPECIES.fromMemorySegment(from, index * WIDTH, ORDER);
  }

  /** One element in each lane. */
  private static Vector<Object> all(MemorySegment from, long index) {
    long bits = switch ((int) WIDTH) {
      case 1 -> from.get(ValueLayout.JAVA_BYTE, index);
      case 2 -> from.get(ValueLayout.JAVA_SHORT_UNALIGNED, index * WIDTH);
      case 4 -> from.get(ValueLayout.JAVA_INT_UNALIGNED, index * WIDTH);
      default -> from.get(ValueLayout.JAVA_LONG_UNALIGNED, index * WIDTH);
    };
    return BITS.broadcast(bits).reinterpretShape(SPECIES, 0);
  }
}
