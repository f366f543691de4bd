package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The one loop over two operands, in a form for each way that they step; used only through copies, see {@link
 * LoopCopy}.
 */
final class BinaryLoopTemplate implements BinaryLoop {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  /** Rows up to this many elements are computed together: finding the next row would take longer than its elements. */
  private static final long SHORT_ROW = 512;
  /** How many rows are computed together: no more than the caches hold. */
  private static final long ROWS = 128;
  private static final Function FUNCTION;

  static {
    try {
      FUNCTION = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, Function.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  BinaryLoopTemplate() {}

  @Override
  public void run(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast broadcast, long first, long end) {
    long row = broadcast.runLength();
    boolean repeatsSecond = broadcast.walksRows(0) && broadcast.repeatsRow(1);
    boolean repeatsFirst = broadcast.repeatsRow(0) && broadcast.walksRows(1);
    if (!(repeatsFirst || repeatsSecond) || row > SHORT_ROW || row % LANES != 0 || end - first < 2 * row) {
      runs(a, b, target, broadcast, first, end);
      return;
    }
    long firstWhole = Math.ceilDiv(first, row) * row;
    long endWhole = end - end % row;
    runs(a, b, target, broadcast, first, firstWhole);
    // A vector of the row that repeats stays in its register for many rows.
    for (long at = firstWhole; at < endWhole; at += row * ROWS) {
      long count = Math.min(ROWS, (endWhole - at) / row);
      for (long column = 0; column < row; column += LANES) {
        if (repeatsSecond) {
          secondRowRepeats(a, b, target, at + column, count, row);
        } else {
          firstRowRepeats(a, b, target, at + column, count, row);
        }
      }
    }
    runs(a, b, target, broadcast, endWhole, end);
  }

  private static void secondRowRepeats(MemorySegment a, MemorySegment b, MemorySegment target, long first, long count,
    long length) {
    FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, first % length * Float.BYTES, ORDER);
    for (long k = 0; k < count; k++) {
      long at = (first + k * length) * Float.BYTES;
      FUNCTION.apply(FloatVector.fromMemorySegment(SPECIES, a, at, ORDER), y).intoMemorySegment(target, at, ORDER);
    }
  }

  private static void firstRowRepeats(MemorySegment a, MemorySegment b, MemorySegment target, long first, long count,
    long length) {
    FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, first % length * Float.BYTES, ORDER);
    for (long k = 0; k < count; k++) {
      long at = (first + k * length) * Float.BYTES;
      FUNCTION.apply(x, FloatVector.fromMemorySegment(SPECIES, b, at, ORDER)).intoMemorySegment(target, at, ORDER);
    }
  }

  private static void runs(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast broadcast, long first,
    long end) {
    boolean aWalks = broadcast.step(0) != 0;
    boolean bWalks = broadcast.step(1) != 0;
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      if (aWalks && bWalks) {
        bothWalk(a, b, target, runs);
      } else if (aWalks) {
        secondRepeats(a, all(b, runs.offset(1)), target, runs);
      } else if (bWalks) {
        firstRepeats(all(a, runs.offset(0)), b, target, runs);
      } else {
        bothRepeat(FUNCTION.apply(all(a, runs.offset(0)), all(b, runs.offset(1))), target, runs);
      }
    }
  }

  private static void bothWalk(MemorySegment a, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    long at = runs.output() * Float.BYTES;
    long aAt = runs.offset(0) * Float.BYTES;
    long bAt = runs.offset(1) * Float.BYTES;
    long length = runs.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + i * Float.BYTES, ORDER);
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + i * Float.BYTES, ORDER);
      FUNCTION.apply(x, y).intoMemorySegment(target, at + i * Float.BYTES, ORDER);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + whole * Float.BYTES, ORDER, rest);
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + whole * Float.BYTES, ORDER, rest);
      FUNCTION.apply(x, y).intoMemorySegment(target, at + whole * Float.BYTES, ORDER, rest);
    }
  }

  private static void secondRepeats(MemorySegment a, FloatVector y, MemorySegment target, Broadcast.Runs runs) {
    long at = runs.output() * Float.BYTES;
    long aAt = runs.offset(0) * Float.BYTES;
    long length = runs.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + i * Float.BYTES, ORDER);
      FUNCTION.apply(x, y).intoMemorySegment(target, at + i * Float.BYTES, ORDER);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, a, aAt + whole * Float.BYTES, ORDER, rest);
      FUNCTION.apply(x, y).intoMemorySegment(target, at + whole * Float.BYTES, ORDER, rest);
    }
  }

  private static void firstRepeats(FloatVector x, MemorySegment b, MemorySegment target, Broadcast.Runs runs) {
    long at = runs.output() * Float.BYTES;
    long bAt = runs.offset(1) * Float.BYTES;
    long length = runs.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + i * Float.BYTES, ORDER);
      FUNCTION.apply(x, y).intoMemorySegment(target, at + i * Float.BYTES, ORDER);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector y = FloatVector.fromMemorySegment(SPECIES, b, bAt + whole * Float.BYTES, ORDER, rest);
      FUNCTION.apply(x, y).intoMemorySegment(target, at + whole * Float.BYTES, ORDER, rest);
    }
  }

  private static void bothRepeat(FloatVector value, MemorySegment target, Broadcast.Runs runs) {
    float single = value.lane(0);
    for (long i = runs.output(); i < runs.output() + runs.length(); i++) {
      target.set(FLOAT, i * Float.BYTES, single);
    }
  }

  private static FloatVector all(MemorySegment from, long index) {
    return FloatVector.broadcast(SPECIES, from.get(FLOAT, index * Float.BYTES));
  }
}
