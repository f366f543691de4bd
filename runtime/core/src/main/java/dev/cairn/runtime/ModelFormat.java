package dev.cairn.runtime;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.nio.file.Path;

/** Reads one kind of model file. Implementations are found through {@link java.util.ServiceLoader}. */
public interface ModelFormat {
  /** What people call the format, such as {@code ONNX}. */
  String name();

  /** Whether a file looks like this format, by its name. */
  boolean recognises(Path file);

  /**
   * Reads a model into operators of the table.
   *
   * @throws InvalidModel when the file is missing, damaged or breaks the format's rules
   * @throws UnsupportedOperators when it uses something that Cairn does not have: all of it at once, before weights are
   *   read
   */
  Graph read(Path file, OperatorTable operators);
}
