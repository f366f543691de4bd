package dev.cairn.conformance;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

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

  /** The values of the model's inputs, initializers left out. */
  List<Value> inputs(Path folder) throws IOException {
    GraphProto graph = graph();
    Set<String> weights = graph.getInitializerList().stream().map(TensorProto::getName).collect(Collectors.toSet());
    return values("input", graph.getInputList().stream().filter(it -> !weights.contains(it.getName())).toList(),
      folder);
  }

  /** @throws IllegalArgumentException if an input is a sequence or an optional */
  List<TensorView> tensors(Path folder) throws IOException {
    List<TensorView> views = new ArrayList<>();
    for (Value value : inputs(folder)) {
      if (!(value instanceof Tensor tensor)) {
        throw new IllegalArgumentException("an input is no tensor: case=" + name);
      }
      views.add(tensor.view());
    }
    return views;
  }

  List<Value> outputs(Path folder) throws IOException {
    return values("output", graph().getOutputList(), folder);
  }

  private GraphProto graph() throws IOException {
    byte[] model = files.get("model.onnx");
    if (model == null) {
      throw new AssertionError("the case has no model: case=" + name);
    }
    return ModelProto.parseFrom(model).getGraph();
  }

  private List<Value> values(String kind, List<ValueInfoProto> declared, Path folder) throws IOException {
    List<Value> values = new ArrayList<>();
    String path = path(kind, 0);
    while (files.containsKey(path)) {
      values.add(CaseValues.read(file(path, folder), declared.get(values.size()).getType()));
      path = path(kind, values.size());
    }
    return values;
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
