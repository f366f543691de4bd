package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * A transposition of four-byte elements that interleaves a few rows: {@code [matrices, ways, length]} becomes
 * {@code [matrices, length, ways]}. Examples are channel shuffles, and images of few channels that get their channels
 * last.
 *
 * @param ways rows of each matrix, 2 to 4
 * @param length elements of a row, at least a vector
 */
record VectorInterleave(long matrices, int ways, long length) {
  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final long STEP = (long) LANES * Integer.BYTES;
  private static final int MOST_WAYS = 4;
  /** Vectors of one row that are worth a second thread. */
  private static final long GRAIN = 1024;
  /** Lanes of the first two rows that each result vector of 2, 3 or 4 ways has, then where those of the others go. */
  private static final Lanes TWO = new Lanes(2);
  private static final Lanes THREE = new Lanes(3);
  private static final Lanes FOUR = new Lanes(4);

  /** For result vector {@code v}: lanes chosen of rows 0 and 1, and of these and the joined other rows. */
  private static final class Lanes {
    private final IntVector[] pair = new IntVector[MOST_WAYS];
    private final IntVector[] all = new IntVector[MOST_WAYS];

    Lanes(int ways) {
      for (int vector = 0; vector < ways; vector++) {
        int first = vector * LANES;
        // Elements of the rows 0 and 1 lie in the pair at the lane that they will have; rows 2 and 3 likewise.
        pair[vector] = lanes(lane -> (first + lane) / ways + (first + lane) % ways % 2 * LANES);
        all[vector] = lanes(lane -> (first + lane) % ways < 2
          ? lane
          : LANES + (ways == 3 ? (first + lane) / ways : lane));
      }
    }

    private static IntVector lanes(IntUnaryOperator from) {
      return IntVector.fromArray(SPECIES, IntStream.range(0, LANES).map(from).toArray(), 0);
    }
  }

  /** The transposition, or empty if it is of another kind. */
  static Optional<VectorInterleave> of(Shape shape, long... perm) {
    int rank = shape.rank();
    if (perm.length != rank) {
      return Optional.empty();
    }
    int kept = 0;
    while (kept < rank && perm[kept] == kept) {
      kept++;
    }
    // The axes of a row follow the kept axes, then the axes of the rows.
    int split = (int) (kept < rank ? perm[kept] : rank);
    if (split == rank || split < kept) {
      return Optional.empty();
    }
    for (int axis = kept; axis < rank; axis++) {
      int from = axis + split - kept;
      if (perm[axis] != (from < rank ? from : from - rank + kept)) {
        return Optional.empty();
      }
    }
    long ways = shape.elementCount(kept, split);
    long length = shape.elementCount(split, rank);
    return ways >= 2 && ways <= MOST_WAYS && length >= LANES
      ? Optional.of(new VectorInterleave(shape.elementCount(0, kept), (int) ways, length))
      : Optional.empty();
  }

  void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    long blocks = Math.ceilDiv(length, LANES);
    CpuStream.of(call).parallel(matrices * blocks, GRAIN, (first, end) -> {
      for (long item = first; item < end; item++) {
        // The last block of a row covers a part of the one before, with the same elements.
        long at = Math.min(item % blocks * LANES, length - LANES);
        long from = (item / blocks * ways * length + at) * Integer.BYTES;
        long to = (item / blocks * length + at) * ways * Integer.BYTES;
        switch (ways) {
          case 2 -> interleave2(x, from, y, to);
          case 3 -> interleave3(x, from, y, to);
          default -> interleave4(x, from, y, to);
        }
      }
    });
  }

  private void interleave2(MemorySegment x, long from, MemorySegment y, long to) {
    IntVector a = load(x, from);
    IntVector b = load(x, from + length * Integer.BYTES);
    store(TWO.pair[0].selectFrom(a, b), y, to);
    store(TWO.pair[1].selectFrom(a, b), y, to + STEP);
  }

  private void interleave3(MemorySegment x, long from, MemorySegment y, long to) {
    IntVector a = load(x, from);
    IntVector b = load(x, from + length * Integer.BYTES);
    IntVector c = load(x, from + 2 * length * Integer.BYTES);
    for (int vector = 0; vector < 3; vector++) {
      store(THREE.all[vector].selectFrom(THREE.pair[vector].selectFrom(a, b), c), y, to + vector * STEP);
    }
  }

  private void interleave4(MemorySegment x, long from, MemorySegment y, long to) {
    IntVector a = load(x, from);
    IntVector b = load(x, from + length * Integer.BYTES);
    IntVector c = load(x, from + 2 * length * Integer.BYTES);
    IntVector d = load(x, from + 3 * length * Integer.BYTES);
    for (int vector = 0; vector < MOST_WAYS; vector++) {
      IntVector pair = FOUR.pair[vector];
      store(FOUR.all[vector].selectFrom(pair.selectFrom(a, b), pair.selectFrom(c, d)), y, to + vector * STEP);
    }
  }

  private static IntVector load(MemorySegment x, long at) {
    return IntVector.fromMemorySegment(SPECIES, x, at, ByteOrder.nativeOrder());
  }

  private static void store(IntVector vector, MemorySegment y, long at) {
    vector.intoMemorySegment(y, at, ByteOrder.nativeOrder());
  }
}
