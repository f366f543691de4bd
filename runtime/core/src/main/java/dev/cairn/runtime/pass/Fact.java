package dev.cairn.runtime.pass;

/**
 * Something about a graph that a pass may need to know. A fact holds for one graph, and is found anew when it
 * changes.
 */
public enum Fact {
  /** The type of every entry, and the value of those that depend on no input. */
  TYPES
}
