package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a recurrent layer. The order of gates and both biases are PyTorch's. */
record RnnCell(Kind kind, long hidden, Parameter inputWeight, Parameter hiddenWeight, Parameter inputBias,
  Parameter hiddenBias) {

  /** The formulas. */
  enum Kind {
    TANH,
    RELU,
    LSTM,
    GRU;

    int gates() {
      return switch (this) {
        case TANH, RELU -> 1;
        case LSTM -> 4;
        case GRU -> 3;
      };
    }

    int states() {
      return this == LSTM ? 2 : 1;
    }
  }

  /** The share of the inputs in the gates, for all steps, as one product. */
  <T extends Expression<T>> T project(LayerPass<T> pass, T sequence) {
    return Rows.linear(pass, sequence, inputWeight, inputBias);
  }

  /**
   * The next states, the hidden one first.
   *
   * @param input this step of {@link #project}
   * @param state null before the first step, where all states are 0
   */
  <T extends Expression<T>> List<T> step(LayerPass<T> pass, T input, @Nullable List<T> state) {
    T bias = pass.value(hiddenBias);
    T fromHidden = state == null ? bias : Rows.product(state.getFirst(), pass.value(hiddenWeight), bias);
    return switch (kind) {
      case TANH -> List.of(input.add(fromHidden).tanh());
      case RELU -> List.of(input.add(fromHidden).relu());
      case LSTM -> lstm(input.add(fromHidden), state == null ? null : state.get(1));
      case GRU -> List.of(gru(input, fromHidden, state == null ? null : state.getFirst()));
    };
  }

  private <T extends Expression<T>> List<T> lstm(T gates, @Nullable T cell) {
    List<T> parts = gates.split(-1, hidden, hidden, hidden, hidden);
    T written = parts.get(0).sigmoid().mul(parts.get(2).tanh());
    T next = cell == null ? written : parts.get(1).sigmoid().mul(cell).add(written);
    return List.of(parts.get(3).sigmoid().mul(next.tanh()), next);
  }

  private <T extends Expression<T>> T gru(T input, T fromHidden, @Nullable T before) {
    List<T> x = input.split(-1, hidden, hidden, hidden);
    List<T> h = fromHidden.split(-1, hidden, hidden, hidden);
    T reset = x.get(0).add(h.get(0)).sigmoid();
    T kept = x.get(1).add(h.get(1)).sigmoid();
    T fresh = x.get(2).add(reset.mul(h.get(2))).tanh();
    T result = fresh.sub(kept.mul(fresh));
    return before == null ? result : result.add(kept.mul(before));
  }
}
