package dev.cairn.runtime.pass.gradient;

/**
 * How the terms of one gradient are added.
 *
 * @param cap fewer terms than this, but at least two, are added by one {@code Sum}; others by a chain of {@code Add}
 */
public record Aggregation(int cap) {
  /** A chain of {@code Add} in the order in which the terms arose, so that a term is free as soon as it is added. */
  public static final Aggregation CHAIN = new Aggregation(0);
  /** The order in which MXNet adds, to compare with it. */
  public static final Aggregation NNVM = new Aggregation(8);

  boolean isOneSum(int terms) {
    return terms > 1 && terms < cap;
  }
}
