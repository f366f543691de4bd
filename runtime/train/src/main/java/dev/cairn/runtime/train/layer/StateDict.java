package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parameters and states of a layer by path, as files in the safetensors format. PyTorch's names are these. */
public final class StateDict {
  /** A counter of PyTorch's batch normalisation, which Cairn does not need. */
  private static final String COUNTER = "num_batches_tracked";

  private StateDict() {}

  /** Writes all values; parameters that layers share under the first of their paths. */
  public static void save(Layer layer, Path file) throws IOException {
    Map<String, TensorView> values = new LinkedHashMap<>();
    layer.parameters().forEach((path, it) -> values.put(path, it.value()));
    layer.states().forEach((path, it) -> values.put(path, it.value()));
    write(values, file);
  }

  /** Writes all values; parameters that layers share under each of their paths. */
  public static void saveWithCopies(Layer layer, Path file) throws IOException {
    Map<String, TensorView> values = new LinkedHashMap<>();
    layer.allPaths().forEach((path, it) -> values.put(path, it.value()));
    write(values, file);
  }

  private static void write(Map<String, TensorView> values, Path file) throws IOException {
    new SafetensorsFile(values, Map.of("format", "pt")).write(file);
  }

  /** Like {@link #load(Layer, Map)}, from a file. */
  public static void load(Layer layer, Path file) throws IOException {
    load(layer, SafetensorsFile.read(file).tensors());
  }

  /**
   * Replaces all values of a layer with copies. A shared parameter may come under any of its paths, or under all.
   *
   * @throws IllegalArgumentException when values are missing, or there are others, or types differ; lists all, and has
   *   changed nothing
   */
  public static void load(Layer layer, Map<String, TensorView> values) {
    Map<String, Parameter> paths = layer.allPaths();
    List<String> faults = new ArrayList<>();
    Map<Parameter, TensorView> found = new LinkedHashMap<>();
    paths.forEach((path, parameter) -> {
      TensorView value = values.get(path);
      if (value != null && parameter.type().meet(PartialType.of(value.type())).isEmpty()) {
        faults.add("%s is %s instead of %s".formatted(path, value.type(), parameter.type()));
      } else if (value != null) {
        found.putIfAbsent(parameter, value);
      }
    });
    Set<Parameter> given = new LinkedHashSet<>();
    paths.forEach((path, parameter) -> {
      if (values.containsKey(path)) {
        given.add(parameter);
      }
    });
    paths.forEach((path, parameter) -> {
      if (given.add(parameter)) {
        faults.add(path + " is missing");
      }
    });
    values.keySet().stream().filter(it -> !paths.containsKey(it) && !isCounter(it)).forEach(it -> faults.add(it
      + " is not of this layer"));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("a state dict does not fit: " + String.join(", ", faults));
    }
    found.forEach(Parameter::set);
  }

  private static boolean isCounter(String path) {
    return path.substring(path.lastIndexOf('.') + 1).equals(COUNTER);
  }
}
