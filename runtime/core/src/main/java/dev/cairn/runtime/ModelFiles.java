package dev.cairn.runtime;

import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.trace.flight.FlightEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the reader for a model file among the formats on the class path. */
public final class ModelFiles {
  private ModelFiles() {}

  /**
   * Reads a model file into a graph of Cairn's operators.
   *
   * @throws InvalidModel when the file is missing, damaged or of an unknown format
   * @throws UnsupportedOperators when the model uses features that Cairn lacks
   */
  public static Graph read(Path file) {
    return read(file, OperatorRegistry.STANDARD);
  }

  /** As {@link #read(Path)}, for a model that may also use operators of users. */
  public static Graph read(Path file, OperatorRegistry operators) {
    return FlightEvents.load(file.toString(), () -> readUntold(file, operators), graph -> graph.nodes().size());
  }

  private static Graph readUntold(Path file, OperatorRegistry operators) {
    if (file.toString().isEmpty() || Files.isDirectory(file)) {
      throw new InvalidModel(file, "the path is a folder, not a file");
    }
    if (!Files.isRegularFile(file)) {
      throw new InvalidModel(file, "no such model file");
    }
    List<ModelFormat> formats = ServiceLoader.load(ModelFormat.class).stream().map(ServiceLoader.Provider::get)
      .toList();
    for (ModelFormat format : formats) {
      if (format.recognises(file)) {
        return format.read(file, operators.table());
      }
    }
    throw new InvalidModel(file, "unknown model format: formats=" + formats.stream().map(ModelFormat::name).toList());
  }
}
