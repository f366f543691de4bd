package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import java.util.Arrays;
import java.util.Map;

/** The types of a model's inputs, from what it declares and what the command line says; none may be empty. */
final class InputTypes {
  private InputTypes() {}

  /**
   * One type for each input, in the model's order.
   *
   * @throws IllegalArgumentException when an input is a sequence or an optional, or the shapes do not fit the model, or
   *   are empty
   * @throws Failure.Known when the model itself declares an empty input, or the shapes leave an extent open
   */
  static Map<String, TensorType> of(Graph graph, Map<String, Shape> shapes) {
    for (Node input : graph.inputs()) {
      if (input.kind() instanceof NodeKind.Input(var declared) && !declared.isTensor()) {
        throw new IllegalArgumentException(
          "the command line gives tensors only, so run this model from Java: input=%s declared=%s".formatted(input
            .name(), declared));
      }
      if (input.kind() instanceof NodeKind.Input(var declared)
        && declared.known().filter(InputTypes::isEmpty).isPresent()) {
        throw new Failure.Known(ExitCode.INVALID_MODEL, "an input of the model is empty", "input=%s declared=%s"
          .formatted(input.name(), declared), "export the model with a batch of at least 1, or with an open batch");
      }
    }
    Map<String, TensorType> types = bound(graph, shapes);
    types.forEach((name, type) -> {
      if (isEmpty(type)) {
        throw new IllegalArgumentException("an input is empty: input=%s given=%s".formatted(name, type));
      }
    });
    return types;
  }

  private static Map<String, TensorType> bound(Graph graph, Map<String, Shape> shapes) {
    try {
      return InputBinding.ofShapes(graph, shapes);
    } catch (IllegalArgumentException e) {
      String example = InputBinding.isOpen(graph)
        ? graph.inputs().getFirst().name() + ":1x16"
        : ShapeSuggestion.of(graph, shapes).orElseThrow(() -> e);
      throw new Failure.Known(ExitCode.USAGE, "invalid input", String.valueOf(e.getMessage()),
        "give shapes, for example --shapes %s; see 'cairn inspect MODEL'".formatted(example));
    }
  }

  private static boolean isEmpty(TensorType type) {
    return Arrays.stream(type.shape().extents()).anyMatch(extent -> extent == 0);
  }
}
