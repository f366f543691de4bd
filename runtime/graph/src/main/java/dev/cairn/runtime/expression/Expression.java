package dev.cairn.runtime.expression;

/**
 * A tensor, or what will be one, with the functions that users call on it. An implementation says how it applies an
 * operator and how it makes a scalar; everything else follows from that. Functions have the names of NumPy and PyTorch;
 * operators without a function are called by {@link #apply}.
 *
 * @param <T> the implementation itself
 */
public interface Expression<T extends Expression<T>>
  extends
    ElementwiseFunctions<T>,
    NetworkFunctions<T>,
    ReductionFunctions<T>,
    MovementFunctions<T> {}
