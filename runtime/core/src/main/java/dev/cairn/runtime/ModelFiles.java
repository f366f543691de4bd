package dev.cairn.runtime;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.family.StandardOperators;
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
    return FlightEvents.load(file.toString(), () -> readUntold(file), graph -> graph.nodes().size());
  }

  private static Graph readUntold(Path file) {
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
        return format.read(file, StandardOperators.table());
      }
    }
    throw new InvalidModel(file, "unknown model format: formats=" + formats.stream().map(ModelFormat::name).toList());
  }
}
