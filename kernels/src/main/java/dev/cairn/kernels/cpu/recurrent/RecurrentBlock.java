package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.cpu.vector.VectorMath;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * A step of a recurrent network on blocks: vectors of elements of a gate or a state. Positions are in bytes.
 * Each method is short enough for the compiler to keep its vectors in registers: with more functions in one loop, it
 * would box them.
 */
final class RecurrentBlock {
  /** Bytes of a block. */
  static final long BYTES = (long) LANES * Float.BYTES;
  /** Rows of states, or gates, that are multiplied together. */
  static final int ABREAST = 4;

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private RecurrentBlock() {}

  /** Some floats of a panel, or of states, one row after the other. */
  record Source(MemorySegment segment, long start, int depth) {}

  /** Adds the product of one state and a panel to a block of sums. */
  static void multiply(Source panel, Source state, MemorySegment sums, long at) {
    int whole = panel.depth - panel.depth % ABREAST;
    multiplyWhole(panel, whole, state, sums, at);
    for (int k = whole; k < panel.depth; k++) {
      float factor = state.segment.get(FLOAT, state.start + (long) k * Float.BYTES);
      row(panel.segment, panel.start + k * BYTES).mul(factor).add(row(sums, at)).intoMemorySegment(sums, at, ORDER);
    }
  }

  /** A method of its own: with a second loop in it, the server compiler would box the vectors. */
  private static void multiplyWhole(Source panel, int depth, Source state, MemorySegment sums, long at) {
    MemorySegment p = panel.segment;
    MemorySegment s = state.segment;
    FloatVector sum0 = row(sums, at);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k += ABREAST) {
      long from = panel.start + k * BYTES;
      long h = state.start + (long) k * Float.BYTES;
      sum0 = row(p, from).fma(broadcast(s, h), sum0);
      sum1 = row(p, from + BYTES).fma(broadcast(s, h + Float.BYTES), sum1);
      sum2 = row(p, from + 2 * BYTES).fma(broadcast(s, h + 2L * Float.BYTES), sum2);
      sum3 = row(p, from + 3 * BYTES).fma(broadcast(s, h + 3L * Float.BYTES), sum3);
    }
    sum0.add(sum1).add(sum2.add(sum3)).intoMemorySegment(sums, at, ORDER);
  }

  /**
   * Adds the products of {@link #ABREAST} states and a panel to as many blocks of sums.
   *
   * @param states the first of the states, which follow each other
   * @param rowBytes from one state to the next
   * @param at where each block starts
   */
  static void multiplyAbreast(Source panel, Source states, long rowBytes, MemorySegment sums, long[] at) {
    MemorySegment p = panel.segment;
    MemorySegment s = states.segment;
    FloatVector sum0 = row(sums, at[0]);
    FloatVector sum1 = row(sums, at[1]);
    FloatVector sum2 = row(sums, at[2]);
    FloatVector sum3 = row(sums, at[3]);
    for (int k = 0; k < panel.depth; k++) {
      long h = states.start + (long) k * Float.BYTES;
      FloatVector weights = row(p, panel.start + k * BYTES);
      sum0 = weights.fma(broadcast(s, h), sum0);
      sum1 = weights.fma(broadcast(s, h + rowBytes), sum1);
      sum2 = weights.fma(broadcast(s, h + 2 * rowBytes), sum2);
      sum3 = weights.fma(broadcast(s, h + 3 * rowBytes), sum3);
    }
    sum0.intoMemorySegment(sums, at[0], ORDER);
    sum1.intoMemorySegment(sums, at[1], ORDER);
    sum2.intoMemorySegment(sums, at[2], ORDER);
    sum3.intoMemorySegment(sums, at[3], ORDER);
  }

  /**
   * Adds the products of one state and the panels of {@link #ABREAST} gates to a block of each gate. The last panel may
   * be there twice, with one place.
   *
   * @param panels where each panel starts
   * @param at where the block of each gate starts
   */
  static void multiplyGates(MemorySegment p, long[] panels, Source state, MemorySegment sums, long[] at) {
    MemorySegment s = state.segment;
    long first = panels[0];
    long second = panels[1];
    long third = panels[2];
    long fourth = panels[3];
    FloatVector sum0 = row(sums, at[0]);
    FloatVector sum1 = row(sums, at[1]);
    FloatVector sum2 = row(sums, at[2]);
    FloatVector sum3 = row(sums, at[3]);
    for (int k = 0; k < state.depth; k++) {
      FloatVector factor = broadcast(s, state.start + (long) k * Float.BYTES);
      long row = k * BYTES;
      sum0 = row(p, first + row).fma(factor, sum0);
      sum1 = row(p, second + row).fma(factor, sum1);
      sum2 = row(p, third + row).fma(factor, sum2);
      sum3 = row(p, fourth + row).fma(factor, sum3);
    }
    sum0.intoMemorySegment(sums, at[0], ORDER);
    sum1.intoMemorySegment(sums, at[1], ORDER);
    sum2.intoMemorySegment(sums, at[2], ORDER);
    sum3.intoMemorySegment(sums, at[3], ORDER);
  }

  /** Adds some blocks of biases to sums. */
  static void addBias(MemorySegment memory, long bias, long at, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long shift = block * BYTES;
      row(memory, at + shift).add(row(memory, bias + shift)).intoMemorySegment(memory, at + shift, ORDER);
    }
  }

  /** The sigmoid of some blocks, in place. */
  static void sigmoid(MemorySegment memory, long at, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long place = at + block * BYTES;
      VectorMath.sigmoid(row(memory, place)).intoMemorySegment(memory, place, ORDER);
    }
  }

  /** The hyperbolic tangent of some blocks, in place. */
  static void tanh(MemorySegment memory, long at, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long place = at + block * BYTES;
      VectorMath.tanh(row(memory, place)).intoMemorySegment(memory, place, ORDER);
    }
  }

  /**
   * The state of an LSTM's cell: {@code C = f C + i c}.
   *
   * @param gate where gate i starts; o, f and c follow at distances of {@code gateBytes}
   */
  static void cell(MemorySegment memory, long gate, long gateBytes, long cell, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long at = gate + block * BYTES;
      long to = cell + block * BYTES;
      FloatVector fresh = row(memory, at).mul(row(memory, at + 3 * gateBytes));
      row(memory, to).fma(row(memory, at + 2 * gateBytes), fresh).intoMemorySegment(memory, to, ORDER);
    }
  }

  /** The state of an LSTM: {@code H = o tanh(C)}. */
  static void hidden(MemorySegment memory, long output, long cell, long hidden, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long shift = block * BYTES;
      row(memory, output + shift).mul(VectorMath.tanh(row(memory, cell + shift))).intoMemorySegment(memory, hidden
        + shift, ORDER);
    }
  }

  /** A state times a gate. */
  static void reset(MemorySegment memory, long gate, long state, long product, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long shift = block * BYTES;
      row(memory, gate + shift).mul(row(memory, state + shift)).intoMemorySegment(memory, product + shift, ORDER);
    }
  }

  /**
   * The sums of a GRU's candidate: {@code h + r H}, over the sums of gate h.
   *
   * @param ofState what the last state adds, before it is reset
   */
  static void candidate(MemorySegment memory, long reset, long ofState, long candidate, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long shift = block * BYTES;
      row(memory, reset + shift).fma(row(memory, ofState + shift), row(memory, candidate + shift)).intoMemorySegment(
        memory, candidate + shift, ORDER);
    }
  }

  /**
   * {@code H = (1 - z) h + z H}.
   *
   * @param update where gate z starts; h follows at twice {@code gateBytes}
   * @param states where the last state and the next one start
   */
  static void gru(MemorySegment memory, long update, long gateBytes, long[] states, int blocks) {
    for (int block = 0; block < blocks; block++) {
      long shift = block * BYTES;
      FloatVector fresh = row(memory, update + 2 * gateBytes + shift);
      FloatVector before = row(memory, states[0] + shift).sub(fresh);
      row(memory, update + shift).fma(before, fresh).intoMemorySegment(memory, states[1] + shift, ORDER);
    }
  }

  private static FloatVector broadcast(MemorySegment from, long at) {
    return FloatVector.broadcast(SPECIES, from.get(FLOAT, at));
  }

  private static FloatVector row(MemorySegment from, long at) {
    return FloatVector.fromMemorySegment(SPECIES, from, at, ORDER);
  }
}
