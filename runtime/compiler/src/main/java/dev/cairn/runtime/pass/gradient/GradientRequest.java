package dev.cairn.runtime.pass.gradient;

/** How a graph updates a gradient that it keeps in a variable. */
public enum GradientRequest {
  /** The gradient is not computed. */
  NONE,
  /** Each run overwrites the variable. */
  WRITE,
  /** Each run adds to the variable, once however many terms the gradient has. */
  ADD
}
