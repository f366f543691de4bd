package dev.cairn.kernels.cpu.image;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;

/**
 * {@code GridSample} of {@code float32}. The elements and weights of a block of positions are found once, in
 * {@code double}, and serve all channels.
 */
public final class VectorGridSample implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 10;
  /** Positions of a block, at least: each block copies each channel's plane once. */
  private static final long LEAST_BLOCK = 1 << 12;
  private static final long MOST_BLOCK = 1 << 16;

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape shape = signature.input(0).shape();
    return signature.input(1).dtype() == DType.FLOAT32
      && shape.elementCount(2, shape.rank()) < Math.min(MOST_BLOCK * 8, positions(signature.input(1).shape()) * 8);
  }

  private static long positions(Shape grid) {
    return grid.elementCount(1, grid.rank() - 1);
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    if (call.output(0).elementCount() == 0) {
      return;
    }
    long positions = positions(call.input(1).shape());
    int plane = (int) shape.elementCount(2, shape.rank());
    long block = Math.clamp(plane, LEAST_BLOCK, MOST_BLOCK);
    CpuStream.of(call).parallel(shape.extent(0) * positions, GRAIN, (first, end) -> {
      var samples = new Samples(call, plane, (int) Math.min(end - first, block));
      for (long item = first; item < end;) {
        long ofImage = Math.min(end, (item / positions + 1) * positions);
        long next = Math.min(ofImage, item + block);
        samples.place(item, (int) (next - item));
        samples.sample(item / positions, item % positions, positions);
        item = next;
      }
    });
  }

  /** The samples of a block of positions in one image. For one thread. */
  private static final class Samples {
    private final KernelCall call;
    private final GridTaps taps;
    private final double[] position;
    private final int plane;
    /** One channel, and behind it a zero for positions outside. */
    private final float[] values;
    private final int each;
    private final int stride;
    /** The places of the first tap for all positions, then those of the second tap. */
    private final int[] places;
    private final float[] weights;
    private final float[] results;
    private int count;

    Samples(KernelCall call, int plane, int most) {
      this.call = call;
      this.plane = plane;
      taps = new GridTaps(call.attributes(), call.input(0).shape());
      position = new double[taps.axes()];
      values = new float[plane + 1];
      each = Math.toIntExact(Math.round(Math.pow(taps.count(), taps.axes())));
      stride = most;
      places = new int[each * stride];
      weights = new float[each * stride];
      results = new float[stride];
    }

    /** Finds the elements of positions that lie beside each other in the grid. */
    void place(long first, int positions) {
      MemorySegment grid = call.input(1).segment();
      int axes = position.length;
      count = positions;
      for (int i = 0; i < positions; i++) {
        for (int axis = 0; axis < axes; axis++) {
          position[axis] = grid.get(FLOAT, ((first + i) * axes + axes - 1 - axis) * Float.BYTES);
        }
        taps.place(position);
        for (int tap = 0; tap < each; tap++) {
          set(tap, tap * stride + i);
        }
      }
    }

    private void set(int tap, int at) {
      int rest = tap;
      long place = 0;
      long step = 1;
      double weight = 1;
      boolean inside = true;
      for (int axis = position.length - 1; axis >= 0; axis--) {
        int along = rest % taps.count();
        rest /= taps.count();
        inside &= taps.index(axis, along) >= 0;
        place += taps.index(axis, along) * step;
        step *= taps.extent(axis);
        weight *= taps.weight(axis, along);
      }
      places[at] = inside ? (int) place : plane;
      weights[at] = inside ? (float) weight : 0;
    }

    /** @param first the first position of the block within its image */
    void sample(long image, long first, long positions) {
      TensorView x = call.input(0);
      long channels = x.shape().extent(1);
      for (long channel = image * channels; channel < (image + 1) * channels; channel++) {
        MemorySegment.copy(x.segment(), FLOAT, channel * plane * Float.BYTES, values, 0, plane);
        mix();
        MemorySegment.copy(results, 0, call.output(0).segment(), FLOAT, (channel * positions + first) * Float.BYTES,
          count);
      }
    }

    private void mix() {
      int whole = SPECIES.loopBound(count);
      int end = each * stride;
      for (int i = 0; i < whole; i += LANES) {
        FloatVector sum = FloatVector.fromArray(SPECIES, values, 0, places, i).mul(FloatVector.fromArray(SPECIES,
          weights, i));
        for (int tap = stride; tap < end; tap += stride) {
          sum = FloatVector.fromArray(SPECIES, values, 0, places, tap + i).fma(FloatVector.fromArray(SPECIES, weights,
            tap + i), sum);
        }
        sum.intoArray(results, i);
      }
      for (int i = whole; i < count; i++) {
        float sum = values[places[i]] * weights[i];
        for (int tap = stride; tap < end; tap += stride) {
          sum = Math.fma(values[places[tap + i]], weights[tap + i], sum);
        }
        results[i] = sum;
      }
    }
  }
}
