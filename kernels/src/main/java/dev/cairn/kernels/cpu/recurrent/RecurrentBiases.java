package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.KernelCall;
import java.lang.foreign.ValueLayout;

/**
 * The biases of a recurrent network, gate by gate: those of the input and of the state together. Where a GRU resets the
 * product of its state, the bias of that product is a row of its own after the gates.
 */
final class RecurrentBiases {
  /** The input that has them. */
  static final int INPUT = 3;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private RecurrentBiases() {}

  /** Whether the network is a GRU that resets the product of its state, and not the state. */
  static boolean areApart(KernelCall call, RecurrentNetwork network) {
    return network.cell() == Cell.GRU && RecurrentForm.of(call.attributes()).isLinearFirst();
  }

  /**
   * Writes the biases of a direction into the workspace.
   *
   * @param start where the first row begins
   * @param rowBytes from one row to the next
   */
  static void write(KernelCall call, RecurrentNetwork network, int direction, long start, long rowBytes) {
    int gates = network.cell().gates();
    int apart = areApart(call, network) ? gates - 1 : gates;
    for (int row = 0; row <= gates; row++) {
      for (int i = 0; i < network.hidden(); i++) {
        float bias = 0;
        if (call.has(INPUT)) {
          long first = 2L * direction * gates;
          bias = (row < gates ? bias(call, network, first + row, i) : 0)
            + (row < apart ? bias(call, network, first + gates + row, i) : 0)
            + (row == gates && apart < gates ? bias(call, network, first + gates + apart, i) : 0);
        }
        call.workspace().set(FLOAT, start + row * rowBytes + (long) i * Float.BYTES, bias);
      }
    }
  }

  private static float bias(KernelCall call, RecurrentNetwork network, long row, int element) {
    return call.input(INPUT).segment().get(FLOAT, (row * network.hidden() + element) * Float.BYTES);
  }
}
