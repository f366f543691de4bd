package dev.cairn.kernels.cpu.reduction;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.CompensatedSum;
import dev.cairn.kernels.cpu.vector.VectorRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums and means of {@code float32}, where the reduced axes are neighbours: the trailing ones, or some before kept
 * ones; and sums of squares along trailing axes. A long row is summed in parts of fixed length, which threads share and
 * whose sums are added last, in order; so results do not depend on the number of threads. Other calls go to the
 * portable twin, since axes are known only when the kernel runs.
 */
public final class VectorReduce implements Kernel {
  private static final long PART = 1 << 15;
  /** Rows that are added up in {@code float} before their sum is added to that of the rows before. */
  private static final int ROWS = 64;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  /** Vectors of columns that are summed at the same time: they lie beside each other, and none waits for another. */
  private static final long ABREAST = 4;

  private final Reduction reduction;
  private final Kernel portable;

  private VectorReduce(Reduction reduction) {
    this.reduction = reduction;
    this.portable = new CpuReduce(reduction);
  }

  public static Kernel sum() {
    return new VectorReduce(Reduction.SUM);
  }

  public static Kernel mean() {
    return new VectorReduce(Reduction.MEAN);
  }

  public static Kernel sumOfSquares() {
    return new VectorReduce(Reduction.SUM_SQUARE);
  }

  /** One sum a part; a row that has several is longer than one, so there are fewer than twice the whole parts. */
  @Override
  public long workspaceBytes(KernelSignature signature) {
    return 2 * Math.ceilDiv(signature.input(0).shape().elementCount(), PART) * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    var axes = ReducedAxes.of(call);
    int rank = axes.rank();
    long outputs = call.output(0).elementCount();
    boolean trailing = rank > 0 && rank <= 2 && axes.reduces(rank - 1);
    boolean leading = reduction != Reduction.SUM_SQUARE && (rank == 2 || rank == 3) && !axes.reduces(rank - 1)
      && axes.extent(rank - 1) >= LANES;
    if (call.input(0).elementCount() == 0 || (!trailing && !leading)) {
      portable.run(call);
    } else if (leading) {
      reduceColumns(call, axes.reducedCount(), axes.extent(rank - 1));
    } else if (axes.reducedCount() > PART) {
      reduceLongRows(call, outputs, axes.reducedCount());
    } else {
      reduceRows(call, axes.reducedCount());
    }
  }

  private void reduceRows(KernelCall call, long length) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    float divisor = divisor(length);
    CpuStream.of(call).parallel(call.output(0).elementCount(), Math.max(1, PART / 2 / length), (first, end) -> {
      for (long row = first; row < end; row++) {
        y.set(FLOAT, row * Float.BYTES, sum(x, row * length, length) / divisor);
      }
    });
  }

  /** A row of less than a vector is summed element by element. */
  private float sum(MemorySegment x, long at, long length) {
    boolean squares = reduction == Reduction.SUM_SQUARE;
    if (length >= LANES) {
      return squares ? VectorRows.squares(x, at, length, 0) : VectorRows.sum(x, at, length);
    }
    float sum = 0;
    for (long i = at; i < at + length; i++) {
      float value = x.get(FLOAT, i * Float.BYTES);
      sum += squares ? value * value : value;
    }
    return sum;
  }

  private void reduceLongRows(KernelCall call, long rows, long length) {
    MemorySegment x = call.input(0).segment();
    MemorySegment sums = call.workspace();
    long parts = Math.ceilDiv(length, PART);
    CpuStream.of(call).parallel(rows * parts, 1, (first, end) -> {
      for (long part = first; part < end; part++) {
        long at = part % parts * PART;
        float sum = sum(x, part / parts * length + at, Math.min(PART, length - at));
        sums.set(FLOAT, part * Float.BYTES, sum);
      }
    });
    for (long row = 0; row < rows; row++) {
      double sum = 0;
      for (long part = row * parts; part < (row + 1) * parts; part++) {
        sum += sums.get(FLOAT, part * Float.BYTES);
      }
      call.output(0).segment().set(FLOAT, row * Float.BYTES, (float) (sum / divisor(length)));
    }
  }

  /** Blocks of {@code [length, width]}: each lane sums a column. */
  private void reduceColumns(KernelCall call, long length, long width) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    FloatVector divisor = FloatVector.broadcast(SPECIES, divisor(length));
    long across = Math.ceilDiv(width, ABREAST * LANES);
    long blocks = call.output(0).elementCount() / width;
    CpuStream.of(call).parallel(blocks * across, Math.max(1, PART / 2 / (length * ABREAST * LANES)), (first, end) -> {
      for (long tile = first; tile < end; tile++) {
        long at = tile % across * ABREAST * LANES;
        long from = tile / across * length * width;
        long to = tile / across * width;
        if (at + ABREAST * LANES <= width) {
          fourSums(x, from + at, y, to + at, length, width, divisor);
          continue;
        }
        for (; at + LANES <= width; at += LANES) {
          store(columnSums(x, from + at, length, width).div(divisor), y, to + at);
        }
        if (at < width) {
          VectorMask<Float> rest = SPECIES.indexInRange(at, width);
          store(columnSums(x, from + at, length, width, rest).div(divisor), y, to + at, rest);
        }
      }
    });
  }

  /** The sums of four vectors of columns, each of which is made as {@link #columnSums} makes it. */
  private static void fourSums(MemorySegment x, long from, MemorySegment y, long to, long length, long width,
    FloatVector divisor) {
    FloatVector total0 = FloatVector.zero(SPECIES);
    FloatVector total1 = total0;
    FloatVector total2 = total0;
    FloatVector total3 = total0;
    FloatVector excess0 = total0;
    FloatVector excess1 = total0;
    FloatVector excess2 = total0;
    FloatVector excess3 = total0;
    for (long first = 0; first < length; first += ROWS) {
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = sum0;
      FloatVector sum2 = sum0;
      FloatVector sum3 = sum0;
      for (long i = first; i < Math.min(length, first + ROWS); i++) {
        long at = from + i * width;
        sum0 = sum0.add(load(x, at));
        sum1 = sum1.add(load(x, at + LANES));
        sum2 = sum2.add(load(x, at + 2L * LANES));
        sum3 = sum3.add(load(x, at + 3L * LANES));
      }
      FloatVector next0 = total0.add(sum0.sub(excess0));
      FloatVector next1 = total1.add(sum1.sub(excess1));
      FloatVector next2 = total2.add(sum2.sub(excess2));
      FloatVector next3 = total3.add(sum3.sub(excess3));
      excess0 = CompensatedSum.excess(total0, sum0.sub(excess0), next0);
      excess1 = CompensatedSum.excess(total1, sum1.sub(excess1), next1);
      excess2 = CompensatedSum.excess(total2, sum2.sub(excess2), next2);
      excess3 = CompensatedSum.excess(total3, sum3.sub(excess3), next3);
      total0 = next0;
      total1 = next1;
      total2 = next2;
      total3 = next3;
    }
    store(total0.div(divisor), y, to);
    store(total1.div(divisor), y, to + LANES);
    store(total2.div(divisor), y, to + 2L * LANES);
    store(total3.div(divisor), y, to + 3L * LANES);
  }

  private static FloatVector columnSums(MemorySegment x, long from, long length, long width) {
    FloatVector total = FloatVector.zero(SPECIES);
    FloatVector excess = total;
    for (long first = 0; first < length; first += ROWS) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (long i = first; i < Math.min(length, first + ROWS); i++) {
        sum = sum.add(load(x, from + i * width));
      }
      FloatVector next = total.add(sum.sub(excess));
      excess = CompensatedSum.excess(total, sum.sub(excess), next);
      total = next;
    }
    return total;
  }

  private static FloatVector columnSums(MemorySegment x, long from, long length, long width, VectorMask<Float> rest) {
    FloatVector total = FloatVector.zero(SPECIES);
    FloatVector excess = total;
    for (long first = 0; first < length; first += ROWS) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (long i = first; i < Math.min(length, first + ROWS); i++) {
        sum = sum.add(load(x, from + i * width, rest));
      }
      FloatVector next = total.add(sum.sub(excess));
      excess = CompensatedSum.excess(total, sum.sub(excess), next);
      total = next;
    }
    return total;
  }

  private float divisor(long length) {
    return reduction == Reduction.MEAN ? length : 1;
  }
}
