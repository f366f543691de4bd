package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.cpu.product.TiledProduct;
import java.lang.foreign.MemorySegment;

/**
 * How the vector kernel of a recurrent network divides its workspace. All parts but the last three are for each
 * direction. Rows of states and of gates are filled up to whole vectors.
 *
 * <pre> | biases of the gates, and of the candidate's state | states, this step's and the last's | states of cells, or
 *   reset states | sums of gates, step by step | W, packed | R, packed | what the product of the input needs | </pre>
 *
 * @param packsInput whether W is packed here
 * @param packsState whether R is packed here
 */
record RecurrentMemory(RecurrentNetwork network, boolean packsInput, boolean packsState) {
  private static final long ALIGNMENT = 64;

  long bytes() {
    return productStart() + productBytes();
  }

  /** Bytes of a row of a state, or of one gate. */
  long rowBytes() {
    return (long) RecurrentPanels.blocks(network.hidden()) * LANES * Float.BYTES;
  }

  /** Bytes of a row of all gates. */
  long gateBytes() {
    return network.cell().gates() * rowBytes();
  }

  long biasStart(int direction) {
    return direction * aligned(gateBytes() + rowBytes());
  }

  /** The states of all sequences after every other step. */
  long stateBytes() {
    return aligned(network.batch() * rowBytes());
  }

  /** The place at which the states of a direction start: of even steps, of odd steps, and of cells or reset ones. */
  long stateStart(int direction) {
    return biasStart(network.directions()) + 3L * direction * stateBytes();
  }

  int inputRows() {
    return network.steps() * network.batch();
  }

  long sumStart(int direction) {
    return stateStart(network.directions()) + direction * aligned(inputRows() * gateBytes());
  }

  private RecurrentPanels panels() {
    return new RecurrentPanels(network.cell().gates());
  }

  private long inputPanelBytes() {
    return panels().bytes(network.weightShape());
  }

  private long statePanelBytes() {
    return panels().bytes(network.recurrentShape());
  }

  private long inputPanelStart() {
    return sumStart(network.directions());
  }

  private long statePanelStart() {
    return inputPanelStart() + (packsInput ? aligned(inputPanelBytes()) : 0);
  }

  private long productStart() {
    return statePanelStart() + (packsState ? aligned(statePanelBytes()) : 0);
  }

  private long productBytes() {
    return RecurrentInput.isFlat(this) ? 0 : TiledProduct.workspaceBytes(RecurrentInput.size(this));
  }

  MemorySegment inputPanels(MemorySegment workspace) {
    return workspace.asSlice(inputPanelStart(), inputPanelBytes());
  }

  MemorySegment statePanels(MemorySegment workspace) {
    return workspace.asSlice(statePanelStart(), statePanelBytes());
  }

  MemorySegment product(MemorySegment workspace) {
    return workspace.asSlice(productStart(), productBytes());
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }
}
