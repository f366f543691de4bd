package dev.cairn.runtime.session;

import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.trace.flight.FlightEvents;
import dev.cairn.runtime.trace.flight.LoadRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the reader for a model among the formats on the class path. */
public final class ModelFiles {
  private ModelFiles() {}

  /** Like {@link #read(ModelSource)}, from a file. */
  public static Graph read(Path file) {
    return read(ModelSource.of(file));
  }

  /** Like {@link #read(ModelSource, OperatorRegistry)}, with Cairn's operators only. */
  public static Graph read(ModelSource model) {
    return read(model, OperatorRegistry.STANDARD);
  }

  /**
   * Reads a model into a graph of Cairn's operators and those of users.
   *
   * @throws InvalidModel when the model is missing, damaged or of an unknown format
   * @throws UnsupportedOperators when the model uses features that Cairn lacks
   */
  public static Graph read(ModelSource model, OperatorRegistry operators) {
    try (LoadRecord loading = FlightEvents.loading(model.name())) {
      List<ModelFormat> formats = ServiceLoader.load(ModelFormat.class).stream().map(ServiceLoader.Provider::get)
        .toList();
      for (ModelFormat format : formats) {
        if (format.recognises(model)) {
          Graph graph = format.read(model, operators.table());
          loading.read(graph.nodes().size());
          return graph;
        }
      }
      model.bytes(); // a missing file is reported first
      throw new InvalidModel(model, "unknown model format: formats=" + formats.stream().map(ModelFormat::name)
        .toList());
    }
  }
}
