package dev.cairn.kernels.cpu.vector;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * How the vector kernel of a recurrent network divides its workspace. All parts but the last are for each direction;
 * rows of states are filled up to whole vectors.
 *
 * <pre> | biases | states, this step's and the last's | the cells' states | sums of gates, step by step | R, packed |
 *   what the product of the input needs | </pre>
 */
record RecurrentMemory(RecurrentNetwork network, boolean packs) {
  /** The input's product: rows of x times rows of W. */
  static final Attributes TRANSPOSED = Attributes.NONE.with("transB", 1);

  private static final long ALIGNMENT = 64;

  long bytes() {
    return productStart() + productBytes();
  }

  long biasBytes() {
    return aligned((network.gateRows() + network.hidden()) * (long) Float.BYTES);
  }

  long biasStart(int direction) {
    return direction * biasBytes();
  }

  long rowBytes() {
    return (long) RecurrentPanels.blocks(network.hidden()) * LANES * Float.BYTES;
  }

  /** The states of all sequences after every other step. */
  long stateBytes() {
    return aligned(network.batch() * rowBytes());
  }

  /** @param which 0 or 1 for states of even and odd steps, 2 for the cells' states */
  long stateStart(int direction, int which) {
    return network.directions() * biasBytes() + (3L * direction + which) * stateBytes();
  }

  private long sumBytes() {
    return aligned((long) network.steps() * network.batch() * network.gateRows() * Float.BYTES);
  }

  long sumStart(int direction) {
    return stateStart(network.directions(), 0) + direction * sumBytes();
  }

  long panelStart() {
    return sumStart(network.directions());
  }

  private long productStart() {
    return panelStart() + (packs
      ? aligned(RecurrentPanels.bytes(network.directions(), network.cell().gates(), network.hidden()))
      : 0);
  }

  private long productBytes() {
    return VectorMatmul.GEMM.workspaceBytes(KernelSignature.of(List.of(inputType(), weightType()), List.of(sumType()),
      TRANSPOSED));
  }

  MemorySegment product(MemorySegment workspace) {
    return workspace.asSlice(productStart(), productBytes());
  }

  TensorType inputType() {
    return TensorType.of(DType.FLOAT32, (long) network.steps() * network.batch(), network.input());
  }

  TensorType weightType() {
    return TensorType.of(DType.FLOAT32, network.gateRows(), network.input());
  }

  TensorType sumType() {
    return TensorType.of(DType.FLOAT32, (long) network.steps() * network.batch(), network.gateRows());
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }
}
