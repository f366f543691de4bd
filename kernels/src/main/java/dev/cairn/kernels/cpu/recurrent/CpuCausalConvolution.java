package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.kernels.attribute.CausalForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.elementwise.CpuActivations;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code CausalConvWithState(x, w, bias?, state?)}: each channel's window over this step and those before it. The state
 * holds the steps before the first one, or they are zeros; the second result holds the last steps.
 */
public final class CpuCausalConvolution implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    int channels = Math.toIntExact(x.shape().extent(1));
    int steps = Math.toIntExact(x.shape().extent(2));
    int taps = Math.toIntExact(call.input(1).shape().extent(2));
    boolean sigmoid = CausalForm.of(call.attributes()).isActivated();
    CpuStream.of(call).parallel(x.shape().extent(0) * channels, 1, (first, end) -> {
      double[] all = new double[taps - 1 + steps];
      double[] line = new double[steps];
      double[] weights = new double[taps];
      double[] state = new double[taps - 1];
      for (long item = first; item < end; item++) {
        int channel = (int) (item % channels);
        if (call.has(3)) {
          Elements.read(call.input(3), item * state.length, state, state.length);
        }
        Elements.read(x, item * steps, line, steps);
        Elements.read(call.input(1), (long) channel * taps, weights, taps);
        System.arraycopy(state, 0, all, 0, state.length);
        System.arraycopy(line, 0, all, state.length, steps);
        double bias = call.has(2) ? call.input(2).doubleAt(channel) : 0;
        for (int step = 0; step < steps; step++) {
          double sum = bias;
          for (int tap = 0; tap < taps; tap++) {
            sum += weights[tap] * all[step + tap];
          }
          line[step] = sigmoid ? sum * CpuActivations.sigmoid(sum) : sum;
        }
        Elements.write(line, call.output(0), item * steps, steps);
        if (call.outputCount() > 1) {
          double[] last = new double[state.length];
          System.arraycopy(all, steps, last, 0, last.length);
          Elements.write(last, call.output(1), item * last.length, last.length);
        }
      }
    });
  }
}
