package dev.cairn.kernels.cpu.vector;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * What one step of a recurrent network does to one block: at most a vector of elements of a gate or a state. Positions
 * are in bytes. States have whole vectors of memory, so only gates need a count. Each method is short enough for the
 * compiler, which does not inline it into the loop over blocks.
 */
final class RecurrentBlock {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int ROW = LANES * Float.BYTES;

  private RecurrentBlock() {}

  /** Rows of states that are multiplied together. */
  static final int ABREAST = 4;

  /** Some floats of a panel, or of states, one row after the other. */
  record Source(MemorySegment segment, long start, int depth) {}

  /** Adds the product of one state and a panel to a block of sums. */
  static void multiply(Source panel, MemorySegment states, long state, MemorySegment sums, long at, int count) {
    int whole = panel.depth - panel.depth % ABREAST;
    multiplyWhole(new Source(panel.segment, panel.start, whole), states, state, sums, at, count);
    for (int k = whole; k < panel.depth; k++) {
      float factor = states.get(FLOAT, state + (long) k * Float.BYTES);
      add(row(panel.segment, panel.start + (long) k * ROW).mul(factor), sums, at, count);
    }
  }

  /** A method of its own: with a second loop in it, the server compiler would box the vectors. */
  private static void multiplyWhole(Source panel, MemorySegment states, long state, MemorySegment sums, long at,
    int count) {
    MemorySegment p = panel.segment;
    long start = panel.start;
    int depth = panel.depth;
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    for (int k = 0; k < depth; k += ABREAST) {
      long from = start + (long) k * ROW;
      long h = state + (long) k * Float.BYTES;
      sum0 = row(p, from).fma(broadcast(states, h), sum0);
      sum1 = row(p, from + ROW).fma(broadcast(states, h + Float.BYTES), sum1);
      sum2 = row(p, from + 2L * ROW).fma(broadcast(states, h + 2L * Float.BYTES), sum2);
      sum3 = row(p, from + 3L * ROW).fma(broadcast(states, h + 3L * Float.BYTES), sum3);
    }
    add(sum0.add(sum1).add(sum2.add(sum3)), sums, at, count);
  }

  /**
   * Adds the products of {@link #ABREAST} states and a panel to as many blocks of sums.
   *
   * @param at where each block starts
   */
  static void multiplyAbreast(Source panel, Source states, MemorySegment sums, long[] at, int count) {
    MemorySegment p = panel.segment;
    MemorySegment s = states.segment;
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    long rowBytes = (long) states.depth * Float.BYTES;
    for (int k = 0; k < panel.depth; k++) {
      long h = states.start + (long) k * Float.BYTES;
      FloatVector weights = row(p, panel.start + (long) k * ROW);
      sum0 = weights.fma(broadcast(s, h), sum0);
      sum1 = weights.fma(broadcast(s, h + rowBytes), sum1);
      sum2 = weights.fma(broadcast(s, h + 2 * rowBytes), sum2);
      sum3 = weights.fma(broadcast(s, h + 3 * rowBytes), sum3);
    }
    add(sum0, sums, at[0], count);
    add(sum1, sums, at[1], count);
    add(sum2, sums, at[2], count);
    add(sum3, sums, at[3], count);
  }

  /**
   * Multiplies one state with the panels of three or four gates. With three the last one is multiplied twice.
   *
   * @param gateBytes how far apart the panels of the gates are
   * @param products a vector for each of four gates
   */
  static void multiplyGates(Source panel, long gateBytes, int gates, Source state, float[] products) {
    MemorySegment p = panel.segment;
    MemorySegment states = state.segment;
    long second = panel.start + gateBytes;
    long third = second + gateBytes;
    long fourth = panel.start + (gates - 1) * gateBytes;
    FloatVector sum0 = FloatVector.zero(SPECIES);
    FloatVector sum1 = FloatVector.zero(SPECIES);
    FloatVector sum2 = FloatVector.zero(SPECIES);
    FloatVector sum3 = FloatVector.zero(SPECIES);
    int depth = panel.depth;
    for (int k = 0; k < depth; k++) {
      FloatVector factor = broadcast(states, state.start + (long) k * Float.BYTES);
      long row = (long) k * ROW;
      sum0 = row(p, panel.start + row).fma(factor, sum0);
      sum1 = row(p, second + row).fma(factor, sum1);
      sum2 = row(p, third + row).fma(factor, sum2);
      sum3 = row(p, fourth + row).fma(factor, sum3);
    }
    sum0.intoArray(products, 0);
    sum1.intoArray(products, LANES);
    sum2.intoArray(products, 2 * LANES);
    sum3.intoArray(products, 3 * LANES);
  }

  /** Adds a vector of products to a block of sums. */
  static void add(float[] products, int first, MemorySegment sums, long at, int count) {
    add(FloatVector.fromArray(SPECIES, products, first), sums, at, count);
  }

  /** The sigmoid of sums and biases, in place. */
  static void sigmoid(MemorySegment sums, long at, long bias, int count) {
    store(VectorMath.sigmoid(load(sums, at, count).add(load(sums, bias, count))), sums, at, count);
  }

  /** Adds biases to sums. */
  static void addBias(MemorySegment sums, long at, long bias, int count) {
    add(load(sums, bias, count), sums, at, count);
  }

  /** The hyperbolic tangent, in place. Of sums and biases at once, the compiler would box vectors. */
  static void tanh(MemorySegment values, long at, int count) {
    store(VectorMath.tanh(load(values, at, count)), values, at, count);
  }

  /**
   * The state of an LSTM's cell: {@code C = f C + i c}.
   *
   * @param gate where gate i starts; o, f and c follow at distances of {@code gateBytes}
   */
  static void cell(MemorySegment memory, long gate, long gateBytes, long cell, int count) {
    FloatVector in = load(memory, gate, count);
    FloatVector kept = load(memory, gate + 2 * gateBytes, count);
    FloatVector fresh = load(memory, gate + 3 * gateBytes, count);
    row(memory, cell).mul(kept).add(in.mul(fresh)).intoMemorySegment(memory, cell, ORDER);
  }

  /** The state of an LSTM: {@code H = o tanh(C)}. */
  static void hidden(MemorySegment memory, long output, long cell, long hidden, int count) {
    load(memory, output, count).mul(VectorMath.tanh(row(memory, cell))).intoMemorySegment(memory, hidden, ORDER);
  }

  /**
   * The sums of a GRU's candidate: {@code h + r H}, over the sums of gate h.
   *
   * @param reset where gate r starts; gate h follows it at a distance of {@code gateBytes}
   * @param ofState what the last state adds, before it is reset
   */
  static void candidate(MemorySegment memory, long reset, long gateBytes, long ofState, int count) {
    FloatVector all = load(memory, reset, count).fma(row(memory, ofState), load(memory, reset + gateBytes, count));
    store(all, memory, reset + gateBytes, count);
  }

  /** {@code H = (1 - z) h + z H}. */
  static void gru(MemorySegment memory, long update, long candidate, long last, long next, int count) {
    FloatVector fresh = load(memory, candidate, count);
    FloatVector before = row(memory, last).sub(fresh);
    load(memory, update, count).fma(before, fresh).intoMemorySegment(memory, next, ORDER);
  }

  /** Copies a block. */
  static void copy(MemorySegment from, long at, MemorySegment to, long toAt, int count) {
    store(load(from, at, count), to, toAt, count);
  }

  private static FloatVector broadcast(MemorySegment from, long at) {
    return FloatVector.broadcast(SPECIES, from.get(FLOAT, at));
  }

  private static FloatVector row(MemorySegment from, long at) {
    return FloatVector.fromMemorySegment(SPECIES, from, at, ORDER);
  }

  /** Masked also where the block is whole: where two ways meet, the compiler would box the vector. */
  private static FloatVector load(MemorySegment from, long at, int count) {
    return FloatVector.fromMemorySegment(SPECIES, from, at, ORDER, SPECIES.indexInRange(0, count));
  }

  private static void store(FloatVector value, MemorySegment to, long at, int count) {
    value.intoMemorySegment(to, at, ORDER, SPECIES.indexInRange(0, count));
  }

  private static void add(FloatVector value, MemorySegment to, long at, int count) {
    VectorMask<Float> mask = SPECIES.indexInRange(0, count);
    FloatVector sum = FloatVector.fromMemorySegment(SPECIES, to, at, ORDER, mask).add(value);
    sum.intoMemorySegment(to, at, ORDER, mask);
  }
}
