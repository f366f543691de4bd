package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The loop that compares two operands; used only through copies, see {@link LoopCopy}. */
final class LaneComparisonTemplate extends LaneLoop {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Object> SPECIES;
  private static final VectorOperators.Comparison OPERATOR;

  static {
    try {
      LaneFunction function = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME,
        LaneFunction.class);
      SPECIES = function.vectors();
      OPERATOR = (VectorOperators.Comparison) function.operator();
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int LANES = SPECIES.length();
  private static final long WIDTH = SPECIES.elementSize() / Byte.SIZE;
  /** The same vectors as whole numbers. */
  private static final VectorSpecies<?> BITS = LaneFunction.bits(SPECIES);
  /** A vector of as many bytes as there are elements in a vector. */
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, VectorShape.forBitSize(LANES
    * Byte.SIZE));
  private static final ByteVector NO = ByteVector.zero(BYTES);

  LaneComparisonTemplate() {}

  @Override
  int lanes() {
    return LANES;
  }

  @Override
  void one(MemorySegment a, long aAt, MemorySegment b, long bAt, MemorySegment target, long at) {
    target.set(ValueLayout.JAVA_BYTE, at, (byte) (all(a, aAt).compare(OPERATOR, all(b, bAt)).laneIsSet(0) ? 1 : 0));
  }

  @Override
  void bothWalk(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    long aAt = runs.offset(0);
    long bAt = runs.offset(1);
    long at = runs.output();
    long last = runs.length() - LANES;
    VectorMask<Object> end = load(a, aAt + last).compare(OPERATOR, load(b, bAt + last));
    for (long i = 0; i < last; i += LANES) {
      store(load(a, aAt + i).compare(OPERATOR, load(b, bAt + i)), target, at + i);
    }
    store(end, target, at + last);
  }

  @Override
  void firstRepeats(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    Vector<Object> x = all(a, runs.offset(0));
    long bAt = runs.offset(1);
    long at = runs.output();
    long last = runs.length() - LANES;
    VectorMask<Object> end = x.compare(OPERATOR, load(b, bAt + last));
    for (long i = 0; i < last; i += LANES) {
      store(x.compare(OPERATOR, load(b, bAt + i)), target, at + i);
    }
    store(end, target, at + last);
  }

  @Override
  void secondRepeats(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    Vector<Object> y = all(b, runs.offset(1));
    long aAt = runs.offset(0);
    long at = runs.output();
    long last = runs.length() - LANES;
    VectorMask<Object> end = load(a, aAt + last).compare(OPERATOR, y);
    for (long i = 0; i < last; i += LANES) {
      store(load(a, aAt + i).compare(OPERATOR, y), target, at + i);
    }
    store(end, target, at + last);
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

  private static void store(VectorMask<Object> holds, MemorySegment target, long at) {
    NO.blend(1, holds.cast(BYTES)).intoMemorySegment(target, at, ORDER);
  }
}
