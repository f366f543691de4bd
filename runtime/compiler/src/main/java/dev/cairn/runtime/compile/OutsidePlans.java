package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values that have no place in planned memory: strings, sequences and optionals. A graph with any of them runs node by
 * node.
 */
final class OutsidePlans {
  /** Attributes that name an element type, or have labels that a result may consist of. */
  private static final Set<String> LABELS = Set.of("values_strings", "values_tensor", "classlabels_strings",
    "classes_strings", "cats_strings");

  private OutsidePlans() {}

  /**
   * Refuses nodes that have no place in a plan.
   *
   * @param inputs the types of a run's inputs, by name; those of a body are left out
   * @throws ValueDependentShape when the graph, or a body in it, has such values
   */
  static void refuse(Graph graph, Map<String, TensorType> inputs) {
    for (Node node : graph.nodes()) {
      if (isOutside(node, inputs)) {
        throw new ValueDependentShape(node.name(), 0,
          "strings, sequences, optionals and maps lie outside every plan: operator=%s node=%s"
            .formatted(node.operator(), node
              .name()));
      }
      if (node.kind() instanceof NodeKind.Control control) {
        control.bodies().forEach(body -> refuse(body, Map.of()));
      }
    }
  }

  /** Whether a node, or one in its bodies, gives values that have no place in a plan. */
  static boolean hasOutside(Node node) {
    return isOutside(node, Map.of()) || (node.kind() instanceof NodeKind.Control control && control.bodies().stream()
      .anyMatch(body -> body.nodes().stream().anyMatch(OutsidePlans::hasOutside)));
  }

  private static boolean isOutside(Node node, Map<String, TensorType> inputs) {
    return switch (node.kind()) {
      case NodeKind.Input(DeclaredType type) -> !type.isTensor() || isText(type, inputs.get(node.name()));
      case NodeKind.Constant(TensorView value) -> value.dtype() == DType.STRING;
      case NodeKind.Apply apply -> ContainerOperators.find(apply.operator()).isPresent() || makesStrings(apply);
      default -> false;
    };
  }

  /** A declared type may leave the element type open, which a run's tensor binds. */
  private static boolean isText(DeclaredType declared, @Nullable TensorType given) {
    DType bound = given == null ? null : given.dtype();
    return declared.element().map(it -> it == DType.STRING).orElse(bound == DType.STRING);
  }

  private static boolean makesStrings(NodeKind.Apply apply) {
    return apply.attributes().asMap().entrySet().stream().anyMatch(it -> switch (it.getValue()) {
      case AttributeValue.Text(String text) -> it.getKey().equals("to") && text.equals(DType.STRING.toString());
      case AttributeValue.Texts _ -> LABELS.contains(it.getKey());
      case AttributeValue.Tensor(TensorView value) -> value.dtype() == DType.STRING;
      default -> false;
    });
  }
}
