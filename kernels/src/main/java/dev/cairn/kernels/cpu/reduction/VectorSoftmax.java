package dev.cairn.kernels.cpu.reduction;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.LaneSum;
import dev.cairn.kernels.cpu.vector.VectorMath;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.cpu.vector.VectorRows.Row;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code Softmax(x)} and {@code LogSoftmax(x)} of {@code float32}. Along the innermost axis a vector holds neighbours
 * of a line; along others it holds one element of each of several lines.
 */
public final class VectorSoftmax implements Kernel {
  /** {@code Softmax(x)}. */
  public static final Kernel SHARES = new VectorSoftmax(VectorSoftmax::normalize, SoftmaxColumns::normalize);
  /** {@code LogSoftmax(x)}. */
  public static final Kernel LOGARITHMS = new VectorSoftmax(VectorSoftmax::logarithms, SoftmaxColumns::logarithms);

  private static final long GRAIN = 1 << 13;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  private final RowFunction rows;
  private final ColumnFunction columns;

  /** Maps a row, which may be written over itself. */
  @FunctionalInterface
  private interface RowFunction {
    void map(MemorySegment x, MemorySegment y, long at, long length);
  }

  /** Maps columns side by side, which may be written over themselves. */
  @FunctionalInterface
  private interface ColumnFunction {
    void map(MemorySegment x, MemorySegment y, SoftmaxColumns columns);
  }

  private VectorSoftmax(RowFunction rows, ColumnFunction columns) {
    this.rows = rows;
    this.columns = columns;
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    if (call.input(0).elementCount() == 0) {
      return;
    }
    var lines = LinesAlong.of(call.input(0).shape(), AxisForm.ofLines(call.attributes()).axis());
    long length = lines.extent();
    long inner = lines.inner();
    if (inner == 1) {
      CpuStream.of(call).parallel(lines.count(), lines.grain(GRAIN), (first, end) -> {
        for (long row = first; row < end; row++) {
          rows.map(x, y, row * length, length);
        }
      });
      return;
    }
    long across = Math.ceilDiv(inner, LANES);
    CpuStream.of(call).parallel(lines.count() / inner * across, lines.grain(GRAIN / LANES), (first, end) -> {
      for (long tile = first; tile < end; tile++) {
        long column = tile % across * LANES;
        long at = tile / across * length * inner + column;
        columns.map(x, y, new SoftmaxColumns(at, length, inner, Math.min(LANES, inner - column)));
      }
    });
  }

  /** One row, which may be written over itself. */
  public static void normalize(MemorySegment x, MemorySegment y, long at, long length) {
    normalize(x, y, at, length, VectorRows.max(x, at, length));
  }

  /** The same for a row whose greatest element is known. */
  public static void normalize(MemorySegment x, MemorySegment y, long at, long length, float max) {
    float sum = exponentials(x, y, at, length, max);
    VectorRows.scale(y, y, new Row(at, length), 1 / sum, 0);
  }

  /** Writes {@code e^(x - max)} and gives the sum. */
  private static float exponentials(MemorySegment x, MemorySegment y, long at, long length, float max) {
    FloatVector most = FloatVector.broadcast(SPECIES, max);
    FloatVector sum = FloatVector.zero(SPECIES);
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      FloatVector e = VectorMath.expOfNegative(load(x, at + i).sub(most));
      store(e, y, at + i);
      sum = sum.add(e);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector e = VectorMath.expOfNegative(load(x, at + whole, rest).sub(most));
      store(e, y, at + whole, rest);
      return LaneSum.of(sum.add(VectorMath.ZERO.blend(e, rest)));
    }
    return LaneSum.of(sum);
  }

  /** {@code x - max - log(sum of e^(x - max))} of one row, which may be written over itself. */
  private static void logarithms(MemorySegment x, MemorySegment y, long at, long length) {
    float max = VectorRows.max(x, at, length);
    FloatVector most = FloatVector.broadcast(SPECIES, max);
    FloatVector logarithm = FloatVector.broadcast(SPECIES, (float) Math.log(sumOfExponentials(x, at, length, most)));
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      store(load(x, at + i).sub(most).sub(logarithm), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      store(load(x, at + whole, rest).sub(most).sub(logarithm), y, at + whole, rest);
    }
  }

  private static float sumOfExponentials(MemorySegment x, long at, long length, FloatVector most) {
    FloatVector sum = FloatVector.zero(SPECIES);
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      sum = sum.add(VectorMath.expOfNegative(load(x, at + i).sub(most)));
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      FloatVector e = VectorMath.expOfNegative(load(x, at + whole, rest).sub(most));
      return LaneSum.of(sum.add(VectorMath.ZERO.blend(e, rest)));
    }
    return LaneSum.of(sum);
  }
}
