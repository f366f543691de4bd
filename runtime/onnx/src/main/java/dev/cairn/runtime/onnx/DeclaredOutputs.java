package dev.cairn.runtime.onnx;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The output types that an ONNX file declares. An output extent is open if it depends on an open input dimension: type
 * inference runs with two different numbers for each open dimension and compares the results.
 */
public final class DeclaredOutputs {
  private static final TypeInference INFERENCE = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE);

  private DeclaredOutputs() {}

  /** One type for each output, in the graph's order. */
  public static List<DeclaredType> of(Graph graph) {
    GraphTypes small = infer(graph, 2);
    GraphTypes large = infer(graph, 3);
    List<DeclaredType> types = new ArrayList<>();
    for (Graph.Output output : graph.outputs()) {
      types.add(declared(output.name(), small.type(output.entry()), large.type(output.entry())));
    }
    return List.copyOf(types);
  }

  private static DeclaredType declared(String name, TensorType small, TensorType large) {
    List<Dimension> dimensions = new ArrayList<>();
    for (int axis = 0; axis < small.shape().rank(); axis++) {
      long extent = small.shape().extent(axis);
      dimensions.add(extent == large.shape().extent(axis)
        ? new Dimension.Fixed(extent)
        : new Dimension.Symbol(name + "_axis" + axis));
    }
    return new DeclaredType(small.dtype(), dimensions);
  }

  private static GraphTypes infer(Graph graph, long open) {
    Map<String, Shape> shapes = new TreeMap<>();
    for (Node node : graph.inputs()) {
      if (node.kind() instanceof NodeKind.Input(DeclaredType type)) {
        shapes.put(node.name(), Shape.of(type.dimensions().stream().mapToLong(dimension -> switch (dimension) {
          case Dimension.Fixed(long extent) -> extent;
          case Dimension.Symbol symbol -> open;
        }).toArray()));
      }
    }
    return INFERENCE.infer(graph, InputBinding.ofShapes(graph, shapes));
  }
}
