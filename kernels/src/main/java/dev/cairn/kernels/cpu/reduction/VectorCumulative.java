package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.attribute.CumulativeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code CumSum} of {@code float32}, with the bits of {@link CpuCumulative}: lines beside each other, one in each lane.
 * Along the innermost axis, or one with few lines beside each other, the portable twin computes.
 */
public final class VectorCumulative implements Kernel {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, VectorShape.forBitSize(LANES
    * Float.SIZE));
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    int axis = shape.axis(call.input(1).longAt(0));
    long behind = shape.elementCount(axis + 1, shape.rank());
    if (shape.elementCount() == 0 || behind < LANES || !shape.equals(call.output(0).shape())) {
      CpuCumulative.SUM.run(call);
      return;
    }
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    CumulativeForm form = CumulativeForm.of(call.attributes());
    long extent = shape.extent(axis);
    long across = Math.ceilDiv(behind, LANES);
    long first = form.isReversed() ? (extent - 1) * behind : 0;
    long step = form.isReversed() ? -behind : behind;
    CpuStream.of(call).parallel(shape.elementCount(0, axis) * across, Math.max(1, GRAIN / (extent * LANES)), (begin,
      end) -> {
      for (long tile = begin; tile < end; tile++) {
        long column = tile % across * LANES;
        var lines = new Lines(tile / across * extent * behind + first + column, extent, step,
          FLOATS.indexInRange(column,
            behind));
        if (form.isExclusive()) {
          lines.sumBefore(x, y);
        } else {
          lines.sum(x, y);
        }
      }
    });
  }

  /**
   * Lines beside each other.
   *
   * @param at the first element of the first line
   * @param step from an element of a line to the next
   */
  private record Lines(long at, long length, long step, VectorMask<Float> mask) {
    void sum(MemorySegment x, MemorySegment y) {
      DoubleVector sum = DoubleVector.zero(SPECIES);
      for (long i = 0; i < length; i++) {
        long place = (at + i * step) * Float.BYTES;
        sum = sum.add(widened(x, place));
        store(sum, y, place);
      }
    }

    /** Each sum without its own element. */
    void sumBefore(MemorySegment x, MemorySegment y) {
      DoubleVector sum = DoubleVector.zero(SPECIES);
      for (long i = 0; i < length; i++) {
        long place = (at + i * step) * Float.BYTES;
        DoubleVector term = widened(x, place);
        store(sum, y, place);
        sum = sum.add(term);
      }
    }

    private DoubleVector widened(MemorySegment from, long place) {
      return (DoubleVector) FloatVector.fromMemorySegment(FLOATS, from, place, ORDER, mask).convertShape(
        VectorOperators.F2D, SPECIES, 0);
    }

    private void store(DoubleVector sum, MemorySegment to, long place) {
      ((FloatVector) sum.convertShape(VectorOperators.D2F, FLOATS, 0)).intoMemorySegment(to, place, ORDER, mask);
    }
  }
}
