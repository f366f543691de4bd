package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.PartialType;

/** One use of a network: what its layers need beside their inputs. */
public abstract sealed class LayerPass<T extends Expression<T>> permits SymbolPass, ArrayPass {
  private final boolean isTraining;

  LayerPass(boolean isTraining) {
    this.isTraining = isTraining;
  }

  /** Whether layers behave as in training: dropout drops, and running statistics are updated. */
  public final boolean isTraining() {
    return isTraining;
  }

  /**
   * A parameter or state.
   *
   * @throws IllegalArgumentException when it isn't one of the network's
   */
  public abstract T value(Parameter parameter);

  /** Gives a state another value, which it has after this pass. */
  public abstract void update(Parameter state, T value);

  /**
   * One use of random numbers, as random operators read it.
   *
   * @param random the last operand, {@code int64[2]}: a seed and a draw
   * @param number the attribute {@code draw}, which is added to the latter
   */
  public record Draw<T>(T random, long number) {}

  /** The next draw of random numbers. */
  public abstract Draw<T> draw();

  /** The known part of a value's type. */
  public abstract PartialType type(T x);

  /** Is called around what a layer applies, to name it. */
  abstract Scope within(Layer layer);

  /** Gets the first result of a layer. */
  abstract void computed(Layer layer, T result);

  /** Ends when a layer does. */
  interface Scope extends AutoCloseable {
    @Override
    void close();
  }
}
