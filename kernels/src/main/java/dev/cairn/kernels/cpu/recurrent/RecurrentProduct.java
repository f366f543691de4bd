package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.cpu.recurrent.RecurrentBlock.ABREAST;

import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.cpu.recurrent.RecurrentBlock.Source;
import java.lang.foreign.MemorySegment;

/** Products of packed weights of one direction, block by block, which are added to sums. For one thread. */
final class RecurrentProduct {
  private final MemorySegment panels;
  private final int firstGate;
  private final int gates;
  private final int blocks;
  private final MemorySegment sums;
  private final long[] starts = new long[ABREAST];
  private final long[] places = new long[ABREAST];

  /** @param panels of all directions */
  RecurrentProduct(RecurrentNetwork network, int direction, MemorySegment panels, MemorySegment sums) {
    this.panels = panels;
    this.gates = network.cell().gates();
    this.firstGate = direction * gates;
    this.blocks = RecurrentPanels.blocks(network.hidden());
    this.sums = sums;
  }

  /** Sets where the sums of a gate or a sequence are, of {@link RecurrentBlock#ABREAST}. */
  void place(int index, long at) {
    places[index] = at;
  }

  private long panel(int gate, int block, int depth) {
    return ((long) (firstGate + gate) * blocks + block) * RecurrentPanels.panelBytes(depth);
  }

  /** All gates with one state. With three gates, the last one has the last two places. */
  void addGates(Source state, int block) {
    for (int i = 0; i < ABREAST; i++) {
      starts[i] = panel(Math.min(i, gates - 1), block, state.depth());
    }
    RecurrentBlock.multiplyGates(panels, starts, state, sums, places);
  }

  /** Adds the product of one gate's weights and one state to the sums at the first place. */
  void addOne(int gate, int block, Source state) {
    RecurrentBlock.multiply(new Source(panels, panel(gate, block, state.depth()), state.depth()), state, sums,
      places[0]);
  }

  /** One gate with {@link RecurrentBlock#ABREAST} states, of which the first is given. */
  void addAbreast(int gate, int block, Source states, long rowBytes) {
    RecurrentBlock.multiplyAbreast(new Source(panels, panel(gate, block, states.depth()), states.depth()), states,
      rowBytes, sums, places);
  }
}
