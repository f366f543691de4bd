package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import dev.cairn.kernels.cpu.access.UnitLoop;
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

/**
 * The one loop over a mask and two operands, for elements of one width, in a form for each way that the operands step;
 * used only through copies, see {@link LoopCopy}. What a copy is made for is the species of its vectors. The last
 * vector of a run ends with it, so it may overlap with the vector before; it is chosen first and written last, since
 * the output may be an operand.
 */
@SuppressWarnings("unchecked")
final class ChoiceLoopTemplate implements ChoiceLoop {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Object> SPECIES;

  static {
    try {
      SPECIES = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, VectorSpecies.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int LANES = SPECIES.length();
  private static final long WIDTH = SPECIES.elementSize() / Byte.SIZE;
  /** A vector of as many bytes as there are elements in a vector. */
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, VectorShape.forBitSize(LANES
    * Byte.SIZE));

  private static final PortableChoice SHORT_RUNS = new PortableChoice((int) WIDTH);

  ChoiceLoopTemplate() {}

  @Override
  public void run(MemorySegment[] operands, MemorySegment target, Broadcast broadcast, long first, long end) {
    MemorySegment mask = operands[0];
    MemorySegment x = operands[1];
    MemorySegment y = operands[2];
    boolean xWalks = broadcast.step(1) != 0;
    boolean yWalks = broadcast.step(2) != 0;
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      if (broadcast.step(0) == 0) {
        int taken = mask.get(ValueLayout.JAVA_BYTE, runs.offset(0)) != 0 ? 1 : 2;
        new UnitLoop(operands[taken], target, WIDTH).run(runs.length(), runs.offset(taken) * WIDTH,
          broadcast.step(taken)
            * WIDTH,
          runs.output() * WIDTH, WIDTH);
      } else if (runs.length() < LANES) {
        SHORT_RUNS.run(operands, target, broadcast, runs);
      } else if (xWalks && yWalks) {
        bothWalk(mask, x, y, target, runs);
      } else if (xWalks) {
        firstWalks(mask, x, all(y, runs.offset(2)), target, runs);
      } else if (yWalks) {
        secondWalks(mask, all(x, runs.offset(1)), y, target, runs);
      } else {
        bothRepeat(mask, all(x, runs.offset(1)), all(y, runs.offset(2)), target, runs);
      }
    }
  }

  private static void bothWalk(MemorySegment mask, MemorySegment x, MemorySegment y, MemorySegment target,
    Broadcast.Runs runs) {
    long last = runs.length() - LANES;
    Vector<Object> end = load(y, runs.offset(2) + last).blend(load(x, runs.offset(1) + last),
      chosen(mask, runs.offset(0) + last));
    for (long at = 0; at < last; at += LANES) {
      load(y, runs.offset(2) + at).blend(load(x, runs.offset(1) + at), chosen(mask, runs.offset(0) + at))
        .intoMemorySegment(target, (runs.output() + at) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (runs.output() + last) * WIDTH, ORDER);
  }

  private static void firstWalks(MemorySegment mask, MemorySegment x, Vector<Object> y, MemorySegment target,
    Broadcast.Runs runs) {
    long last = runs.length() - LANES;
    Vector<Object> end = y.blend(load(x, runs.offset(1) + last), chosen(mask, runs.offset(0) + last));
    for (long at = 0; at < last; at += LANES) {
      y.blend(load(x, runs.offset(1) + at), chosen(mask, runs.offset(0) + at)).intoMemorySegment(target,
        (runs.output() + at) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (runs.output() + last) * WIDTH, ORDER);
  }

  private static void secondWalks(MemorySegment mask, Vector<Object> x, MemorySegment y, MemorySegment target,
    Broadcast.Runs runs) {
    long last = runs.length() - LANES;
    Vector<Object> end = load(y, runs.offset(2) + last).blend(x, chosen(mask, runs.offset(0) + last));
    for (long at = 0; at < last; at += LANES) {
      load(y, runs.offset(2) + at).blend(x, chosen(mask, runs.offset(0) + at)).intoMemorySegment(target,
        (runs.output() + at) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (runs.output() + last) * WIDTH, ORDER);
  }

  private static void bothRepeat(MemorySegment mask, Vector<Object> x, Vector<Object> y, MemorySegment target,
    Broadcast.Runs runs) {
    long last = runs.length() - LANES;
    Vector<Object> end = y.blend(x, chosen(mask, runs.offset(0) + last));
    for (long at = 0; at < last; at += LANES) {
      y.blend(x, chosen(mask, runs.offset(0) + at)).intoMemorySegment(target, (runs.output() + at) * WIDTH, ORDER);
    }
    end.intoMemorySegment(target, (runs.output() + last) * WIDTH, ORDER);
  }

  private static VectorMask<Object> chosen(MemorySegment mask, long at) {
    return ByteVector.fromMemorySegment(BYTES, mask, at, ORDER).compare(VectorOperators.NE, 0).cast(SPECIES);
  }

  private static Vector<Object> load(MemorySegment from, long index) {
    return SPECIES.fromMemorySegment(from, index * WIDTH, ORDER);
  }

  private static Vector<Object> all(MemorySegment from, long index) {
    return SPECIES.broadcast(switch ((int) WIDTH) {
      case 1 -> from.get(ValueLayout.JAVA_BYTE, index);
      case 2 -> from.get(ValueLayout.JAVA_SHORT_UNALIGNED, index * WIDTH);
      case 4 -> from.get(ValueLayout.JAVA_INT_UNALIGNED, index * WIDTH);
      default -> from.get(ValueLayout.JAVA_LONG_UNALIGNED, index * WIDTH);
    });
  }
}
