package dev.cairn.kernels.cpu.movement;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code Concat} of {@code float32} along the last axis, of many short rows: the channels of images that have them
 * last. A call to copy each of them would take longer than the copy.
 */
public final class VectorConcat implements Kernel {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  /** Elements of a row up to which vectors are faster than a copy. */
  private static final long SHORT_ROW = 256;
  private static final long FEW_ROWS = 16;
  /** Elements that are worth a second thread. */
  private static final long GRAIN = 1 << 14;

  @Override
  public boolean accepts(KernelSignature signature) {
    TensorType output = signature.output(0);
    Shape shape = output.shape();
    List<TensorType> inputs = signature.inputs().stream().flatMap(Optional::stream).toList();
    return shape.rank() > 0 && AxisForm.ofParts(signature.attributes()).of(shape) == shape.rank() - 1 && shape
      .elementCount(0, shape.rank() - 1) >= FEW_ROWS && inputs.stream().allMatch(
        it -> it.dtype() == output.dtype()
          && it.shape().extent(-1) <= SHORT_ROW);
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment y = call.output(0).segment();
    Shape shape = call.output(0).shape();
    long width = shape.extent(-1);
    CpuStream.of(call).parallel(shape.elementCount(0, shape.rank() - 1), Math.max(1, GRAIN / Math.max(1, width)),
      (first,
        end) -> {
        long done = 0;
        for (int i = 0; i < call.inputCount(); i++) {
          long length = call.input(i).shape().extent(-1);
          copyRows(call.input(i).segment(), length, y, first * width + done, width, new Rows(first, end - first));
          done += length;
        }
      });
  }

  /** The number of rows from this one on. */
  private record Rows(long first, long count) {}

  private static void copyRows(MemorySegment x, long length, MemorySegment y, long to, long width, Rows rows) {
    long from = rows.first * length;
    long whole = length - length % LANES;
    for (long c = 0; c < whole; c += LANES) {
      for (long row = 0; row < rows.count; row++) {
        store(load(x, from + row * length + c), y, to + row * width + c);
      }
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      for (long row = 0; row < rows.count; row++) {
        store(load(x, from + row * length + whole, rest), y, to + row * width + whole, rest);
      }
    }
  }
}
