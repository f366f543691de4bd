package dev.cairn.kernels.cuda.recurrent;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RecurrentActivations;
import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;

/**
 * {@code LSTM}, {@code GRU} and {@code RNN} with their usual functions, without clipping and peepholes. A length
 * outside the sequence counts as the nearest one that is not: the device could report it only if the host waited.
 */
public final class CudaRecurrent extends CudaKernel {
  private static final int PEEPHOLES = 7;
  /** Vectors of a sequence's state beside its gates. */
  private static final int VECTORS = 4;

  private final Cell cell;

  public CudaRecurrent(KernelLibrary library, Cell cell) {
    super(library);
    this.cell = cell;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Attributes given = signature.attributes();
    int directions = Math.toIntExact(signature.input(1).shape().extent(0));
    return RecurrentActivations.of(cell, given, directions).isDefault(cell) && RecurrentForm.of(given).clip() == 0
      && !RecurrentForm.of(given).couplesGates() && !signature.has(PEEPHOLES);
  }

  private RecurrentNetwork network(KernelSignature signature) {
    return RecurrentNetwork.of(cell, signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    RecurrentNetwork network = network(signature);
    return (long) network.directions() * network.batch() * (cell.gates() + VECTORS) * network.hidden() * Double.BYTES;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    RecurrentNetwork network = network(KernelSignature.of(call));
    Launch.Builder launch = Launch.of(call, library.function("recurrent.cu", call.input(0).dtype(), "recurrent"));
    for (int input = 0; input < PEEPHOLES; input++) {
      launch.input(input);
    }
    for (int output = 0; output <= 2; output++) {
      if (output < call.outputCount()) {
        launch.output(output);
      } else {
        launch.value(0L);
      }
    }
    return launch.workspace(0)
      .structure(Structures.ofLongs(cell.gates(), network.directions(), network.steps(), network.batch(), network
        .input(), network.hidden(), network.batchFirst() ? 1 : 0, network.isReversed(0) ? 1 : 0,
        RecurrentForm.of(call.attributes()).isLinearFirst() ? 1 : 0))
      .with(Grids.ofBlocks((long) network.directions() * network.batch(), Grids.BLOCK_THREADS));
  }
}
