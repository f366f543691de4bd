package dev.cairn.runtime.session;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;

/** Reads one model file format. Implementations are found through {@link java.util.ServiceLoader}. */
public interface ModelFormat {
  /** The format's name for users, such as {@code ONNX}. */
  String name();

  /** Whether the source may be of this format, by its name if it has one. */
  boolean recognises(ModelSource model);

  /**
   * Reads a model into a graph of the table's operators.
   *
   * @throws InvalidModel when the model is missing, damaged or breaks the format's rules
   * @throws UnsupportedOperators when the model uses features that Cairn lacks; lists all of them, before reading
   *   weights
   */
  Graph read(ModelSource model, OperatorTable operators);
}
