package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.cpu.recurrent.RecurrentBlock.ABREAST;

import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.recurrent.RecurrentBlock.Source;
import dev.cairn.kernels.cpu.team.CpuStream.RangeBody;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The steps of one direction of an LSTM or GRU, one after the other. The work of a step is divided into blocks of
 * elements: a block's gates and states depend on all elements of the last state, but on no other block of this step.
 * Only a GRU that resets its state before the product needs two such parts.
 */
final class RecurrentSteps {
  private static final int STATES = 5;
  /** The states of cells, or reset ones; states 0 and 1 are those of even and odd steps. */
  private static final int OTHERS = 2;

  private final KernelCall call;
  private final RecurrentNetwork network;
  private final int direction;
  private final MemorySegment workspace;
  private final MemorySegment panels;
  private final int[] lengths;
  private final int gates;
  private final int blocks;
  private final boolean resetsProduct;
  private final List<Part> parts;
  private final long rowBytes;
  private final long gateBytes;
  private final long biasStart;
  private final long stateStart;
  private final long stateBytes;
  private final long sumStart;

  /** Shares blocks of a step among threads, and returns when all are done. */
  @FunctionalInterface
  interface Blocks {
    void run(int count, RangeBody body);
  }

  /** The factors of a part of a step: gates with the last states, or with reset ones. */
  private record Part(int firstGate, int endGate, boolean ofReset) {}

  /** @param panels the packed weights R of all directions */
  RecurrentSteps(KernelCall call, RecurrentMemory memory, MemorySegment panels, int direction) {
    this.call = call;
    this.network = memory.network();
    this.direction = direction;
    this.workspace = call.workspace();
    this.panels = panels;
    this.gates = network.cell().gates();
    this.blocks = RecurrentPanels.blocks(network.hidden());
    this.resetsProduct = RecurrentBiases.areApart(call, network);
    this.parts = network.cell() == Cell.LSTM || resetsProduct
      ? List.of(new Part(0, gates, false))
      : List.of(new Part(0, 2, false), new Part(2, 3, true));
    this.rowBytes = memory.rowBytes();
    this.gateBytes = memory.gateBytes();
    this.biasStart = memory.biasStart(direction);
    this.stateStart = memory.stateStart(direction);
    this.stateBytes = memory.stateBytes();
    this.sumStart = memory.sumStart(direction);
    this.lengths = new int[network.batch()];
    for (int sequence = 0; sequence < lengths.length; sequence++) {
      lengths[sequence] = CpuRecurrent.length(call, network, sequence);
    }
  }

  /** Runs all steps, whose sums hold the inputs' terms of the gates. */
  void run(Blocks shared) {
    begin();
    shared.run(blocks, (first, end) -> addBiases((int) first, (int) end));
    for (int turn = 0; turn < network.steps(); turn++) {
      int of = turn;
      for (Part part : parts) {
        shared.run(blocks, (first, end) -> step(of, part, (int) first, (int) end));
      }
    }
    end(1, network.steps() % 2);
    end(2, OTHERS);
  }

  /** Computes a tiled product row by row: adds the inputs' terms of the gates. */
  void addInput(MemorySegment inputPanels, Blocks shared) {
    MemorySegment x = call.input(0).segment();
    int rows = network.steps() * network.batch();
    workspace.asSlice(sumStart, rows * gateBytes).fill((byte) 0);
    shared.run(blocks, (first, end) -> {
      var product = new RecurrentProduct(network, direction, inputPanels, workspace);
      for (int block = (int) first; block < end; block++) {
        for (int row = 0; row < rows; row++) {
          for (int i = 0; i < ABREAST; i++) {
            product.place(i, sumStart + row * gateBytes + Math.min(i, gates - 1) * rowBytes + block
              * RecurrentBlock.BYTES);
          }
          product.addGates(new Source(x, (long) row * network.input() * Float.BYTES, network.input()), block);
        }
      }
    });
  }

  private void begin() {
    workspace.asSlice(stateStart, 3 * stateBytes).fill((byte) 0);
    for (int state = 0; state < 2; state++) {
      if (call.has(STATES + state)) {
        for (int sequence = 0; sequence < lengths.length; sequence++) {
          MemorySegment.copy(call.input(STATES + state).segment(), network.stateAt(direction, sequence) * Float.BYTES,
            workspace, stateAt(state == 0 ? 0 : OTHERS, sequence), stateSize());
        }
      }
    }
    RecurrentBiases.write(call, network, direction, biasStart, rowBytes);
  }

  private long stateSize() {
    return (long) network.hidden() * Float.BYTES;
  }

  private void end(int output, int state) {
    for (int sequence = 0; call.outputCount() > output && sequence < lengths.length; sequence++) {
      MemorySegment.copy(workspace, stateAt(state, sequence), call.output(output).segment(), network.stateAt(direction,
        sequence) * Float.BYTES, stateSize());
    }
  }

  private long stateAt(int which, int sequence) {
    return stateStart + which * stateBytes + sequence * rowBytes;
  }

  private void addBiases(int first, int end) {
    for (int row = 0; call.has(RecurrentBiases.INPUT) && row < network.steps() * network.batch(); row++) {
      for (int gate = 0; gate < gates; gate++) {
        long shift = gate * rowBytes + first * RecurrentBlock.BYTES;
        RecurrentBlock.addBias(workspace, biasStart + shift, sumStart + row * gateBytes + shift, end - first);
      }
    }
  }

  private void step(int turn, Part part, int first, int end) {
    long shift = first * RecurrentBlock.BYTES;
    int last = turn % 2;
    for (int sequence = 0; resetsProduct && sequence < lengths.length; sequence++) {
      MemorySegment.copy(workspace, biasStart + gateBytes + shift, workspace, stateAt(1 - last, sequence) + shift, (end
        - first) * RecurrentBlock.BYTES);
    }
    multiply(turn, part, first, end);
    for (int sequence = 0; sequence < lengths.length; sequence++) {
      long[] states = {stateAt(last, sequence) + shift, stateAt(1 - last, sequence) + shift};
      boolean runs = turn < lengths[sequence];
      if (!runs) {
        MemorySegment.copy(workspace, states[0], workspace, states[1], (end - first) * RecurrentBlock.BYTES);
      } else if (network.cell() == Cell.LSTM) {
        lstm(sums(turn, sequence) + shift, stateAt(OTHERS, sequence) + shift, states[1], end - first);
      } else if (part.endGate < gates) {
        activate(sums(turn, sequence) + shift, 2, end - first);
        RecurrentBlock.reset(workspace, sums(turn, sequence) + rowBytes + shift, states[0], stateAt(OTHERS, sequence)
          + shift, end - first);
        continue;
      } else {
        gru(sums(turn, sequence) + shift, states, end - first);
      }
      write(turn, sequence, first, end, runs);
    }
  }

  /** Writes the next state as a result; of a sequence that has ended, zeros. */
  private void write(int turn, int sequence, int first, int end, boolean runs) {
    long shift = first * RecurrentBlock.BYTES;
    long bytes = Math.min(end * RecurrentBlock.BYTES, stateSize()) - shift;
    int step = runs ? stepOf(turn, sequence) : turn;
    long at = network.resultAt(step, direction, sequence) * Float.BYTES + shift;
    if (runs) {
      MemorySegment.copy(workspace, stateAt(1 - turn % 2, sequence) + shift, call.output(0).segment(), at, bytes);
    } else {
      call.output(0).segment().asSlice(at, bytes).fill((byte) 0);
    }
  }

  /** The step that a sequence makes in a turn. */
  private int stepOf(int turn, int sequence) {
    return network.isReversed(direction) ? lengths[sequence] - 1 - turn : turn;
  }

  /** Where the sums of the gates start, of a sequence that has not ended. */
  private long sums(int turn, int sequence) {
    return sumStart + network.inputRow(stepOf(turn, sequence), sequence) * gateBytes;
  }

  /** The place at which the sums of a gate start. The state's terms of a product that is reset are kept apart. */
  private long sums(int turn, int sequence, int gate) {
    return resetsProduct && gate == gates - 1
      ? stateAt(1 - turn % 2, sequence)
      : sums(turn, sequence) + gate * rowBytes;
  }

  /** Adds the states' terms to the gates of a part. */
  private void multiply(int turn, Part part, int first, int end) {
    int which = part.ofReset ? OTHERS : turn % 2;
    var product = new RecurrentProduct(network, direction, panels, workspace);
    if (lengths.length < ABREAST && part.endGate - part.firstGate > 2) {
      multiplyGates(turn, product, first, end);
      return;
    }
    for (int gate = part.firstGate; gate < part.endGate; gate++) {
      for (int block = first; block < end; block++) {
        multiplySequences(turn, which, product, gate, block);
      }
    }
  }

  private Source state(int which, int sequence) {
    return new Source(workspace, stateAt(which, sequence), network.hidden());
  }

  /** All gates of one sequence after the other. */
  private void multiplyGates(int turn, RecurrentProduct product, int first, int end) {
    for (int sequence = 0; sequence < lengths.length; sequence++) {
      for (int block = first; turn < lengths[sequence] && block < end; block++) {
        for (int i = 0; i < ABREAST; i++) {
          product.place(i, sums(turn, sequence, Math.min(i, gates - 1)) + block * RecurrentBlock.BYTES);
        }
        product.addGates(state(turn % 2, sequence), block);
      }
    }
  }

  /** One block of one gate, of several sequences together where they have not ended. */
  private void multiplySequences(int turn, int which, RecurrentProduct product, int gate, int block) {
    int sequence = 0;
    while (sequence < lengths.length) {
      int running = 0;
      while (running < ABREAST && sequence + running < lengths.length && turn < lengths[sequence + running]) {
        product.place(running, sums(turn, sequence + running, gate) + block * RecurrentBlock.BYTES);
        running++;
      }
      if (running == ABREAST) {
        product.addAbreast(gate, block, state(which, sequence), rowBytes);
        sequence += ABREAST;
      } else {
        if (running > 0) {
          product.addOne(gate, block, state(which, sequence));
        }
        sequence++;
      }
    }
  }

  /** The sigmoid of the first gates, all at once where no other thread has blocks of them. */
  private void activate(long sums, int count, int vectors) {
    if (vectors == blocks) {
      RecurrentBlock.sigmoid(workspace, sums, count * blocks);
      return;
    }
    for (int gate = 0; gate < count; gate++) {
      RecurrentBlock.sigmoid(workspace, sums + gate * rowBytes, vectors);
    }
  }

  private void lstm(long sums, long cell, long next, int vectors) {
    activate(sums, 3, vectors);
    RecurrentBlock.tanh(workspace, sums + 3 * rowBytes, vectors);
    RecurrentBlock.cell(workspace, sums, rowBytes, cell, vectors);
    RecurrentBlock.hidden(workspace, sums + rowBytes, cell, next, vectors);
  }

  /** The next state may hold the last state's term of the candidate. */
  private void gru(long sums, long[] states, int vectors) {
    long candidate = sums + 2 * rowBytes;
    if (resetsProduct) {
      activate(sums, 2, vectors);
      RecurrentBlock.candidate(workspace, sums + rowBytes, states[1], candidate, vectors);
    }
    RecurrentBlock.tanh(workspace, candidate, vectors);
    RecurrentBlock.gru(workspace, sums, rowBytes, states, vectors);
  }
}
