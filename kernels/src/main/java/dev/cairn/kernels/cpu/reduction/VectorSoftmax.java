package dev.cairn.kernels.cpu.reduction;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.LaneSum;
import dev.cairn.kernels.cpu.vector.VectorMath;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.cpu.vector.VectorRows.Row;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** {@code Softmax(x)} of {@code float32} along the innermost axis, or one that has only axes of extent 1 behind it. */
public final class VectorSoftmax implements Kernel {
  private static final long GRAIN = 1 << 13;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape shape = signature.input(0).shape();
    if (shape.rank() == 0) {
      return false;
    }
    int axis = AxisForm.ofLines(signature.attributes()).of(shape);
    return shape.elementCount(axis + 1, shape.rank()) == 1;
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    Shape shape = call.input(0).shape();
    long length = shape.extent(AxisForm.ofLines(call.attributes()).of(shape));
    if (shape.elementCount() == 0) {
      return;
    }
    CpuStream.of(call).parallel(shape.elementCount() / length, Math.max(1, GRAIN / length), (first, end) -> {
      for (long row = first; row < end; row++) {
        normalize(x, y, row * length, length);
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
}
