package dev.cairn.runtime.memory.analysis;

/** The memory in which an entry of the graph lies. */
public sealed interface Place {
  /** The tensor that the caller gives as the model's input of this index. */
  record Input(int index) implements Place {}

  /** The constant of this index, in the order of {@link Storage#constants}. */
  record Constant(int index) implements Place {}

  /** The memory of the variable of this index, in the order of {@link VariableUse#variables}. */
  record Variable(int index) implements Place {}

  /** The memory that the caller gives for the model's output of this index: no part of the plan. */
  record Result(int output) implements Place {}

  /** The buffer of this index in the memory problem. */
  record Planned(int buffer) implements Place {}
}
