package dev.cairn.kernels.cpu.recurrent;

/** The state of one sequence, which each step of the network changes. */
abstract sealed class RecurrentState {
  final RecurrentWeights weights;
  /** The result of the last step. */
  double[] hidden;
  /** The state of the cell; only an LSTM has one. */
  double[] cell;

  RecurrentState(RecurrentWeights weights) {
    this.weights = weights;
    this.hidden = new double[weights.hidden()];
    this.cell = new double[weights.hidden()];
  }

  abstract void step(double[] x);

  final double gate(int gate, int element, double[] x) {
    return weights.ofInput(gate, element, x) + weights.ofState(gate, element, hidden);
  }

  /** {@code H = f(x W + H R + b)}. */
  static final class Plain extends RecurrentState {
    Plain(RecurrentWeights weights) {
      super(weights);
    }

    @Override
    void step(double[] x) {
      double[] next = new double[hidden.length];
      for (int i = 0; i < next.length; i++) {
        next[i] = weights.activate(0, gate(0, i, x));
      }
      hidden = next;
    }
  }

  /** {@code H = (1 - z) h + z H}, where z updates, r resets, and h is made of x and what r leaves of H. */
  static final class Gated extends RecurrentState {
    private static final int UPDATE = 0;
    private static final int RESET = 1;
    private static final int HIDDEN = 2;

    private final boolean resetsProduct;

    /** @param resetsProduct whether r multiplies {@code H R}, and not H: attribute {@code linear_before_reset} */
    Gated(RecurrentWeights weights, boolean resetsProduct) {
      super(weights);
      this.resetsProduct = resetsProduct;
    }

    @Override
    void step(double[] x) {
      double[] next = new double[hidden.length];
      double[] reset = new double[hidden.length];
      double[] left = new double[hidden.length];
      for (int i = 0; i < next.length; i++) {
        reset[i] = weights.activate(0, gate(RESET, i, x));
        left[i] = reset[i] * hidden[i];
      }
      for (int i = 0; i < next.length; i++) {
        double update = weights.activate(0, gate(UPDATE, i, x));
        double ofState = resetsProduct
          ? reset[i] * weights.ofState(HIDDEN, i, hidden)
          : weights.ofState(HIDDEN, i, left);
        double candidate = weights.activate(1, weights.ofInput(HIDDEN, i, x) + ofState);
        next[i] = (1 - update) * candidate + update * hidden[i];
      }
      hidden = next;
    }
  }

  /** {@code C = f C + i c; H = o h(C)}. Gates also see C through peepholes. */
  static final class LongShort extends RecurrentState {
    private static final int INPUT = 0;
    private static final int OUTPUT = 1;
    private static final int FORGET = 2;
    private static final int CELL = 3;

    private final boolean coupled;

    /** @param coupled whether {@code f = 1 - i}: attribute {@code input_forget} */
    LongShort(RecurrentWeights weights, boolean coupled) {
      super(weights);
      this.coupled = coupled;
    }

    @Override
    void step(double[] x) {
      double[] next = new double[hidden.length];
      double[] nextCell = new double[hidden.length];
      for (int i = 0; i < next.length; i++) {
        double in = weights.activate(0, gate(INPUT, i, x) + weights.peephole(INPUT, i) * cell[i]);
        double kept = coupled
          ? 1 - in
          : weights.activate(0, gate(FORGET, i, x) + weights.peephole(FORGET, i) * cell[i]);
        nextCell[i] = kept * cell[i] + in * weights.activate(1, gate(CELL, i, x));
        double out = weights.activate(0, gate(OUTPUT, i, x) + weights.peephole(OUTPUT, i) * nextCell[i]);
        next[i] = out * weights.ofCell(nextCell[i]);
      }
      hidden = next;
      cell = nextCell;
    }
  }
}
