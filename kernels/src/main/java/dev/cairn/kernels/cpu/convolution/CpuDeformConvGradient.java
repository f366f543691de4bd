package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Optional;

/**
 * {@code DeformConvGradient(h, x, w, offset, mask?)}: the gradients of images, weights, offsets and mask of a {@code
 * DeformConv}, whose result has the gradient {@code h}. Computed in {@code double}. A thread takes one image, and one
 * channel of the weights; sums are in the order of images and positions.
 */
public final class CpuDeformConvGradient implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView h = call.input(0);
    TensorView w = call.input(2);
    double[] heads = new double[Math.toIntExact(h.elementCount())];
    double[] weights = new double[Math.toIntExact(w.elementCount())];
    Elements.read(h, 0, heads, heads.length);
    Elements.read(w, 0, weights, weights.length);
    CpuStream.of(call).parallel(call.input(1).shape().extent(0), 1, (first, end) -> {
      var work = new Work(call, heads, weights);
      for (long image = first; image < end; image++) {
        work.image(image);
      }
    });
    CpuStream.of(call).parallel(call.input(1).shape().extent(1), 1, (first, end) -> {
      var work = new Work(call, heads, weights);
      for (long channel = first; channel < end; channel++) {
        work.weights((int) channel);
      }
    });
  }

  /** One thread's arrays. */
  private static final class Work {
    private final KernelCall call;
    private final double[] heads;
    private final double[] weights;
    private final DeformedTaps taps;
    private final double[] images;
    private final double[] offsets;
    private final double[] masks;

    Work(KernelCall call, double[] heads, double[] weights) {
      this.call = call;
      this.heads = heads;
      this.weights = weights;
      this.taps = new DeformedTaps(call.attributes(), call.input(1), call.input(2), call.input(3), call.has(4)
        ? Optional.of(call.input(4))
        : Optional.empty());
      this.images = new double[taps.channels * taps.plane];
      this.masks = new double[taps.offsetGroups * taps.taps * taps.positions];
      this.offsets = new double[2 * masks.length];
    }

    void image(long image) {
      Arrays.fill(images, 0);
      for (int group = 0; group < taps.offsetGroups; group++) {
        for (int tap = 0; tap < taps.taps; tap++) {
          for (int position = 0; position < taps.positions; position++) {
            tap(image, group, tap, position);
          }
        }
      }
      Elements.write(images, call.output(0), image * images.length, images.length);
      Elements.write(offsets, call.output(2), image * offsets.length, offsets.length);
      if (call.has(4)) {
        Elements.write(masks, call.output(3), image * masks.length, masks.length);
      }
    }

    private void tap(long image, int group, int tap, int position) {
      taps.place(image, group, tap, position);
      double[] ofPlace = new double[2];
      double ofFactor = 0;
      for (int i = 0; i < taps.channelsPerOffset(); i++) {
        int channel = group * taps.channelsPerOffset() + i;
        double head = ofColumn(image, channel, tap, position);
        taps.spread(head * taps.factor(), images, channel * taps.plane);
        ofFactor += head * taps.sample(image, channel);
        for (int axis = 0; axis < 2; axis++) {
          ofPlace[axis] += head * taps.factor() * taps.slope(image, channel, axis);
        }
      }
      int index = group * taps.taps + tap;
      masks[index * taps.positions + position] = ofFactor;
      offsets[2 * index * taps.positions + position] = ofPlace[0];
      offsets[(2 * index + 1) * taps.positions + position] = ofPlace[1];
    }

    /** The gradient of the value that a tap has read of one channel. */
    private double ofColumn(long image, int channel, int tap, int position) {
      int group = channel / taps.groups.inputsPerGroup();
      double sum = 0;
      for (int i = 0; i < taps.groups.outputsPerGroup(); i++) {
        int output = group * taps.groups.outputsPerGroup() + i;
        sum += weights[weight(output, channel, tap)] * head(image, output, position);
      }
      return sum;
    }

    private int weight(int output, int channel, int tap) {
      int inputs = taps.groups.inputsPerGroup();
      return (output * inputs + channel % inputs) * taps.taps + tap;
    }

    private double head(long image, int output, int position) {
      return heads[Math.toIntExact((image * taps.groups.outputs() + output) * taps.positions + position)];
    }

    /** The gradient of all weights of one channel. */
    void weights(int channel) {
      int outputs = taps.groups.outputsPerGroup();
      int first = channel / taps.groups.inputsPerGroup() * outputs;
      double[][] sums = new double[outputs][taps.taps];
      for (long image = 0; image < taps.groups.batch(); image++) {
        for (int position = 0; position < taps.positions; position++) {
          for (int tap = 0; tap < taps.taps; tap++) {
            taps.place(image, channel / taps.channelsPerOffset(), tap, position);
            double read = taps.factor() * taps.sample(image, channel);
            for (int i = 0; i < outputs; i++) {
              sums[i][tap] += read * head(image, first + i, position);
            }
          }
        }
      }
      for (int i = 0; i < outputs; i++) {
        Elements.write(sums[i], call.output(1), weight(first + i, channel, 0), taps.taps);
      }
    }
  }
}
