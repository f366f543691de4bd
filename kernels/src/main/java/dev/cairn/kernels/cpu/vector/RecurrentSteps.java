package dev.cairn.kernels.cpu.vector;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.CpuRecurrent;
import dev.cairn.kernels.cpu.CpuStream.RangeBody;
import dev.cairn.kernels.cpu.vector.RecurrentBlock.Source;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The steps of one direction of an LSTM or GRU, one after the other. The work of a step is divided into blocks of
 * elements: a block's gates and states depend on all elements of the last state, but on no other block of this step.
 */
final class RecurrentSteps {
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int STATES = 5;
  private static final int CELLS = 2;
  private static final int BLOCK_BYTES = LANES * Float.BYTES;

  private final KernelCall call;
  private final RecurrentNetwork network;
  private final RecurrentMemory memory;
  private final MemorySegment panels;
  private final int direction;
  private final MemorySegment workspace;
  private final int[] lengths;
  private final long gateBytes;

  /** Shares blocks of a step among threads, and returns when all are done. */
  @FunctionalInterface
  interface Blocks {
    void run(int count, RangeBody body);
  }

  /** @param panels the packed weights R of all directions */
  RecurrentSteps(KernelCall call, RecurrentMemory memory, MemorySegment panels, int direction) {
    this.call = call;
    this.network = memory.network();
    this.memory = memory;
    this.panels = panels;
    this.direction = direction;
    this.workspace = call.workspace();
    this.gateBytes = (long) network.hidden() * Float.BYTES;
    this.lengths = new int[network.batch()];
    for (int sequence = 0; sequence < lengths.length; sequence++) {
      lengths[sequence] = CpuRecurrent.length(call, network, sequence);
    }
  }

  void run(Blocks blocks) {
    begin();
    for (int turn = 0; turn < network.steps(); turn++) {
      int of = turn;
      blocks.run(RecurrentPanels.blocks(network.hidden()), (first, end) -> {
        float[] products = new float[RecurrentBlock.ABREAST * LANES];
        for (long block = first; block < end; block++) {
          step(of, (int) block, products);
        }
      });
    }
    end(1, network.steps() % 2);
    end(2, CELLS);
  }

  private void begin() {
    workspace.asSlice(memory.stateStart(direction, 0), 3 * memory.stateBytes()).fill((byte) 0);
    for (int state = 0; state < 2; state++) {
      if (call.has(STATES + state)) {
        for (int sequence = 0; sequence < lengths.length; sequence++) {
          MemorySegment.copy(call.input(STATES + state).segment(), network.stateAt(direction, sequence) * Float.BYTES,
            workspace, stateAt(state == 0 ? 0 : CELLS, sequence), gateBytes);
        }
      }
    }
  }

  private void end(int output, int state) {
    for (int sequence = 0; call.outputCount() > output && sequence < lengths.length; sequence++) {
      MemorySegment.copy(workspace, stateAt(state, sequence), call.output(output).segment(), network.stateAt(direction,
        sequence) * Float.BYTES, gateBytes);
    }
  }

  private long stateAt(int which, int sequence) {
    return memory.stateStart(direction, which) + sequence * memory.rowBytes();
  }

  private void step(int turn, int block, float[] products) {
    int count = Math.min(LANES, network.hidden() - block * LANES);
    if (lengths.length < RecurrentBlock.ABREAST) {
      multiplyGates(turn, block, count, products);
    } else {
      for (int gate = 0; gate < network.cell().gates(); gate++) {
        multiply(turn, gate, block, count);
      }
    }
    long shift = (long) block * BLOCK_BYTES;
    for (int sequence = 0; sequence < lengths.length; sequence++) {
      long last = stateAt(turn % 2, sequence) + shift;
      long next = stateAt(1 - turn % 2, sequence) + shift;
      boolean runs = turn < lengths[sequence];
      int step = runs && network.isReversed(direction) ? lengths[sequence] - 1 - turn : turn;
      long result = network.resultAt(step, direction, sequence) * Float.BYTES + shift;
      if (!runs) {
        RecurrentBlock.copy(workspace, last, workspace, next, LANES);
        call.output(0).segment().asSlice(result, (long) count * Float.BYTES).fill((byte) 0);
      } else {
        long sums = sums(turn, sequence, 0) + shift;
        if (network.cell() == Cell.LSTM) {
          lstm(sums, shift, stateAt(CELLS, sequence) + shift, next, count);
        } else {
          gru(sums, shift, last, next, count);
        }
        RecurrentBlock.copy(workspace, next, call.output(0).segment(), result, count);
      }
    }
  }

  /** Where the sums of a gate start, of a sequence that has not ended. */
  private long sums(int turn, int sequence, int gate) {
    int step = network.isReversed(direction) ? lengths[sequence] - 1 - turn : turn;
    long row = (long) network.inputRow(step, sequence) * network.cell().gates();
    return memory.sumStart(direction) + (row + gate) * gateBytes;
  }

  /** As {@link #multiply}, of all gates of one sequence after the other. */
  private void multiplyGates(int turn, int block, int count, float[] products) {
    var source = new Source(panels, panel(0, block), network.hidden());
    long ofGate = panel(1, block) - panel(0, block);
    int gates = network.cell().gates();
    for (int sequence = 0; sequence < lengths.length; sequence++) {
      if (turn < lengths[sequence]) {
        RecurrentBlock.multiplyGates(source, ofGate, gates, new Source(workspace, stateAt(turn % 2, sequence), network
          .hidden()), products);
        for (int gate = 0; gate < gates; gate++) {
          RecurrentBlock.add(products, gate * LANES, workspace, begin(turn, gate, block, sequence, count), count);
        }
      }
    }
  }

  private long panel(int gate, int block) {
    int blocks = RecurrentPanels.blocks(network.hidden());
    return ((long) (direction * network.cell().gates() + gate) * blocks + block) * RecurrentPanels.panelBytes(network
      .hidden());
  }

  /**
   * Where the sums of a block of a gate are. The last gate of a GRU is reset first: its sums are kept apart, and begin
   * with their bias.
   */
  private long begin(int turn, int gate, int block, int sequence, int count) {
    long shift = (long) block * BLOCK_BYTES;
    if (network.cell() == Cell.LSTM || gate < 2) {
      return sums(turn, sequence, gate) + shift;
    }
    long at = stateAt(1 - turn % 2, sequence) + shift;
    RecurrentBlock.copy(workspace, memory.biasStart(direction) + 3 * gateBytes + shift, workspace, at, count);
    return at;
  }

  /** Adds what the last states add to a gate. */
  private void multiply(int turn, int gate, int block, int count) {
    var source = new Source(panels, panel(gate, block), network.hidden());
    long[] at = new long[lengths.length];
    for (int sequence = 0; sequence < at.length; sequence++) {
      if (turn < lengths[sequence]) {
        at[sequence] = begin(turn, gate, block, sequence, count);
      }
    }
    int sequence = 0;
    while (sequence < at.length) {
      if (areFour(turn, sequence)) {
        RecurrentBlock.multiplyAbreast(source, new Source(workspace, stateAt(turn % 2, sequence), (int) (memory
          .rowBytes() / Float.BYTES)), workspace, four(at, sequence), count);
        sequence += RecurrentBlock.ABREAST;
      } else {
        if (turn < lengths[sequence]) {
          RecurrentBlock.multiply(source, workspace, stateAt(turn % 2, sequence), workspace, at[sequence], count);
        }
        sequence++;
      }
    }
  }

  private boolean areFour(int turn, int sequence) {
    int end = sequence + RecurrentBlock.ABREAST;
    boolean all = end <= lengths.length;
    for (int i = sequence; all && i < end; i++) {
      all = turn < lengths[i];
    }
    return all;
  }

  private static long[] four(long[] at, int first) {
    return new long[] {at[first], at[first + 1], at[first + 2], at[first + 3]};
  }

  private void lstm(long sums, long shift, long cell, long next, int count) {
    long bias = memory.biasStart(direction) + shift;
    for (int gate = 0; gate < 3; gate++) {
      RecurrentBlock.sigmoid(workspace, sums + gate * gateBytes, bias + gate * gateBytes, count);
    }
    RecurrentBlock.addBias(workspace, sums + 3 * gateBytes, bias + 3 * gateBytes, count);
    RecurrentBlock.tanh(workspace, sums + 3 * gateBytes, count);
    RecurrentBlock.cell(workspace, sums, gateBytes, cell, count);
    RecurrentBlock.hidden(workspace, sums + gateBytes, cell, next, count);
  }

  /** The next state holds what the last one adds to the candidate. */
  private void gru(long sums, long shift, long last, long next, int count) {
    long bias = memory.biasStart(direction) + shift;
    for (int gate = 0; gate < 2; gate++) {
      RecurrentBlock.sigmoid(workspace, sums + gate * gateBytes, bias + gate * gateBytes, count);
    }
    RecurrentBlock.candidate(workspace, sums + gateBytes, gateBytes, next, count);
    RecurrentBlock.addBias(workspace, sums + 2 * gateBytes, bias + 2 * gateBytes, count);
    RecurrentBlock.tanh(workspace, sums + 2 * gateBytes, count);
    RecurrentBlock.gru(workspace, sums, sums + 2 * gateBytes, last, next, count);
  }
}
