package dev.cairn.conformance;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.OnnxTensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * One case of the standard: a small model, what goes in, what must come out.
 *
 * @param name the case's folder, such as {@code test_abs}
 * @param files contents by path within that folder
 */
record NodeCase(String name, SortedMap<String, byte[]> files) {
  private static final String EXPANDED = "_expanded";

  /** Whether the model is the operator's definition as a function of others, instead of the operator itself. */
  boolean isExpanded() {
    return name.contains(EXPANDED);
  }

  /** The case whose operator is written out here; this case's own name when it is not {@link #isExpanded}. */
  String plainName() {
    return isExpanded() ? name.substring(0, name.indexOf(EXPANDED)) : name;
  }

  /** The model as a file in this folder, which must be there. */
  Path model(Path folder) throws IOException {
    return file("model.onnx", folder);
  }

  List<TensorView> inputs(Path folder) throws IOException {
    return tensors("input", folder);
  }

  List<TensorView> outputs(Path folder) throws IOException {
    return tensors("output", folder);
  }

  private List<TensorView> tensors(String kind, Path folder) throws IOException {
    List<TensorView> views = new ArrayList<>();
    String path = path(kind, 0);
    while (files.containsKey(path)) {
      views.add(OnnxTensors.read(file(path, folder)));
      path = path(kind, views.size());
    }
    return views;
  }

  private static String path(String kind, int index) {
    return "test_data_set_0/" + kind + "_" + index + ".pb";
  }

  private Path file(String path, Path folder) throws IOException {
    byte[] content = files.get(path);
    if (content == null) {
      throw new AssertionError("the case has no such file: case=%s file=%s".formatted(name, path));
    }
    Path target = folder.resolve(name + "_" + path.replace('/', '_'));
    return Files.write(target, content);
  }
}
