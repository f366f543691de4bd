package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.Optional;
import java.util.Set;

/** Uses of known operators that Cairn cannot run, seen from the file alone. */
final class OperatorLimits {
  private OperatorLimits() {}

  /** What this use needs and Cairn lacks; empty when nothing is known to be missing. */
  static Optional<String> missing(FlatNode node) {
    return switch (node.operator().name()) {
      case Operators.BATCH_NORMALIZATION -> integer(node, "training_mode") == 0 && node.outputs().size() > 1
        ? Optional.of("batch statistics, which only training needs")
        : Optional.empty();
      case "Scan" -> node.operator().opset() < 9 && !node.inputs().isEmpty() && !node.inputs().get(0).isEmpty()
        ? Optional.of("lengths of sequences, which only opset 8 has")
        : Optional.empty();
      case "Constant" -> node.attributes()
        .stream()
        .filter(attribute -> ConstantDecoder.MISSING_FORMS.contains(attribute.getName()))
        .findFirst()
        .map(attribute -> "attribute " + attribute.getName());
      default -> type(node);
    };
  }

  /** An element type that an attribute numbers and Cairn lacks; 0 is the default of those that have one. */
  private static Optional<String> type(FlatNode node) {
    Set<String> numbering = ElementTypes.attributes(node.operator().name());
    for (AttributeProto attribute : node.attributes()) {
      boolean casts = attribute.getName().equals("to");
      if (numbering.contains(attribute.getName()) && (casts || attribute.getI() != 0)) {
        Optional<String> missing = TensorDecoder.missing(attribute.getI());
        if (missing.isPresent()) {
          return missing.map(what -> casts ? "cast to " + what : what);
        }
      }
    }
    return Optional.empty();
  }

  private static long integer(FlatNode node, String name) {
    for (AttributeProto attribute : node.attributes()) {
      if (attribute.getName().equals(name)) {
        return attribute.getI();
      }
    }
    return 0;
  }
}
