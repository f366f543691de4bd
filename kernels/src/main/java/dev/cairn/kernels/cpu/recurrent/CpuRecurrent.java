package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;

/**
 * {@code LSTM}, {@code GRU} and {@code RNN} over {@code (x, w, r, b?, lengths?, hidden?, cell?, peepholes?)}, in {@code
 * double}. A sequence that is shorter than others has zeros as results of the steps after its last one. Its reversed
 * direction starts at its own last step.
 */
public final class CpuRecurrent implements Kernel {
  private static final int LENGTHS = 4;
  private static final int STATES = 5;

  private final Cell cell;

  public CpuRecurrent(Cell cell) {
    this.cell = cell;
  }

  @Override
  public void run(KernelCall call) {
    RecurrentNetwork network = RecurrentNetwork.of(cell, call.attributes(), call.input(0).shape(), call.input(1)
      .shape());
    for (int direction = 0; direction < network.directions(); direction++) {
      var weights = new RecurrentWeights(call, network, direction);
      int of = direction;
      CpuStream.of(call).parallel(network.batch(), 1, (first, end) -> {
        for (int sequence = (int) first; sequence < end; sequence++) {
          run(call, network, of, sequence, state(call, weights));
        }
      });
    }
  }

  private RecurrentState state(KernelCall call, RecurrentWeights weights) {
    return switch (cell) {
      case RNN -> new RecurrentState.Plain(weights);
      case GRU -> new RecurrentState.Gated(weights, RecurrentForm.of(call.attributes()).isLinearFirst());
      case LSTM -> new RecurrentState.LongShort(weights, RecurrentForm.of(call.attributes()).couplesGates());
    };
  }

  private static void run(KernelCall call, RecurrentNetwork network, int direction, int sequence,
    RecurrentState state) {
    double[][] states = {state.hidden, state.cell};
    long stateAt = network.stateAt(direction, sequence);
    for (int i = 0; i < states.length; i++) {
      if (call.has(STATES + i)) {
        Elements.read(call.input(STATES + i), stateAt, states[i], network.hidden());
      }
    }
    int length = length(call, network, sequence);
    double[] x = new double[network.input()];
    for (int i = 0; i < length; i++) {
      int step = network.isReversed(direction) ? length - 1 - i : i;
      Elements.read(call.input(0), (long) network.inputRow(step, sequence) * x.length, x, x.length);
      state.step(x);
      Elements.write(state.hidden, call.output(0), network.resultAt(step, direction, sequence), network.hidden());
    }
    double[] nothing = new double[network.hidden()];
    for (int step = length; step < network.steps(); step++) {
      Elements.write(nothing, call.output(0), network.resultAt(step, direction, sequence), network.hidden());
    }
    if (call.outputCount() > 1) {
      Elements.write(state.hidden, call.output(1), stateAt, network.hidden());
    }
    if (call.outputCount() > 2) {
      Elements.write(state.cell, call.output(2), stateAt, network.hidden());
    }
  }

  /**
   * The steps that a sequence has.
   *
   * @throws IllegalArgumentException if there are not so many steps
   */
  public static int length(KernelCall call, RecurrentNetwork network, int sequence) {
    if (!call.has(LENGTHS)) {
      return network.steps();
    }
    long length = call.input(LENGTHS).longAt(sequence);
    if (length < 0 || length > network.steps()) {
      throw new IllegalArgumentException(
        "a length is outside the sequence: sequence=%d length=%d steps=%d".formatted(sequence, length,
          network.steps()));
    }
    return (int) length;
  }
}
