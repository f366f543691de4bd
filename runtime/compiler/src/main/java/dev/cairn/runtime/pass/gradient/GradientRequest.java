package dev.cairn.runtime.pass.gradient;

/** What happens to a gradient that a graph keeps in a variable. */
public enum GradientRequest {
  /** Nothing: it is not computed. */
  NONE,
  /** Each run overwrites the variable. */
  WRITE,
  /** Each run adds to the variable, once however many terms the gradient has. */
  ADD
}
