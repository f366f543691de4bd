package dev.cairn.kernels.cpu.image;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code GridSampleGradient(h, x, grid)}: the gradients of the images and of the positions of a {@code GridSample}.
 * {@code h} is the gradient of its result. Computed in {@code double}. A thread takes one image and adds its samples in
 * the order of their positions. Positions have gradients of zero where samples are nearest elements, or where positions
 * are moved to the border.
 */
public final class CpuGridSampleGradient implements Kernel {
  @Override
  public void run(KernelCall call) {
    CpuStream.of(call).parallel(call.input(1).shape().extent(0), 1, (first, end) -> {
      var work = new OneImage(call);
      for (long image = first; image < end; image++) {
        work.compute(image);
      }
    });
  }

  /** One thread's arrays, for one image after the other. */
  private static final class OneImage {
    private final TensorView h;
    private final TensorView x;
    private final TensorView grid;
    private final KernelCall call;
    private final GridTaps taps;
    private final int axes;
    private final int channels;
    private final int positions;
    private final double[] ofPlane;
    private final double[] ofGrid;
    private final double[] position;

    OneImage(KernelCall call) {
      this.call = call;
      this.h = call.input(0);
      this.x = call.input(1);
      this.grid = call.input(2);
      Shape shape = x.shape();
      this.taps = new GridTaps(call.attributes(), shape);
      this.axes = taps.axes();
      this.channels = Math.toIntExact(shape.extent(1));
      this.positions = Math.toIntExact(grid.shape().elementCount(1, axes + 1));
      this.ofPlane = new double[Math.toIntExact(shape.elementCount(2, shape.rank()))];
      this.ofGrid = new double[Math.multiplyExact(positions, axes)];
      this.position = new double[axes];
    }

    void compute(long image) {
      Arrays.fill(ofGrid, 0);
      for (int channel = 0; channel < channels; channel++) {
        Arrays.fill(ofPlane, 0);
        long plane = (image * channels + channel) * ofPlane.length;
        for (int at = 0; at < positions; at++) {
          for (int axis = 0; axis < axes; axis++) {
            position[axis] = grid.doubleAt((image * positions + at) * axes + axes - 1 - axis);
          }
          taps.place(position);
          add(h.doubleAt((image * channels + channel) * positions + at), plane, at);
        }
        Elements.write(ofPlane, call.output(0), plane, ofPlane.length);
      }
      Elements.write(ofGrid, call.output(1), image * ofGrid.length, ofGrid.length);
    }

    /** Adds the gradient of one sample to the elements that make it, and to its position. */
    private void add(double head, long plane, int at) {
      int combinations = Math.toIntExact(Math.round(Math.pow(taps.count(), axes)));
      for (int combination = 0; combination < combinations; combination++) {
        long element = element(combination);
        if (element >= 0) {
          ofPlane[Math.toIntExact(element)] += head * product(combination, -1);
          double value = x.doubleAt(plane + element);
          for (int axis = 0; axis < axes; axis++) {
            ofGrid[at * axes + axes - 1 - axis] += head * value * product(combination, axis);
          }
        }
      }
    }

    /** The element of a plane for a combination of taps, the last axis first; -1 for a zero outside. */
    private long element(int combination) {
      int rest = combination;
      long element = 0;
      long stride = 1;
      for (int axis = axes - 1; axis >= 0; axis--) {
        long index = taps.index(axis, rest % taps.count());
        if (index < 0) {
          return -1;
        }
        element += index * stride;
        stride *= taps.extent(axis);
        rest /= taps.count();
      }
      return element;
    }

    /** The weight of a combination of taps, or its derivative by the position along one axis. */
    private double product(int combination, int derived) {
      int rest = combination;
      double product = 1;
      for (int axis = axes - 1; axis >= 0; axis--) {
        int tap = rest % taps.count();
        product *= axis == derived ? taps.slope(axis, tap) : taps.weight(axis, tap);
        rest /= taps.count();
      }
      return product;
    }
  }
}
