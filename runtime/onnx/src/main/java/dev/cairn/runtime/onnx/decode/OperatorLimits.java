package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.Optional;

/** Uses of known operators that Cairn cannot run, seen from the file alone. */
final class OperatorLimits {
  private static final String CAST_TO = "to";

  private OperatorLimits() {}

  /** The feature that this use needs and Cairn lacks; empty when nothing is known to be missing. */
  static Optional<String> missing(FlatNode node) {
    return switch (node.operator().name()) {
      case Operators.BATCH_NORMALIZATION -> statistics(node);
      case "Scan" -> node.operator().opset() < 9 && !node.inputs().isEmpty() && !node.inputs().get(0).isEmpty()
        ? Optional.of("lengths of sequences, which only opset 8 has")
        : Optional.empty();
      default -> ElementTypes.attributes(node.operator().name()).stream().flatMap(it -> type(node, it).stream())
        .findFirst();
    };
  }

  private static Optional<String> statistics(FlatNode node) {
    int known = trains(node) && isPresent(node, "spatial", 0) ? 1 : trains(node) ? 3 : 1;
    return node.outputs().size() > known
      ? Optional.of("batch statistics, which only training needs")
      : Optional.empty();
  }

  private static boolean trains(FlatNode node) {
    return integer(node, "training_mode") != 0 || isPresent(node, "is_test", 0);
  }

  private static boolean isPresent(FlatNode node, String name, long value) {
    return node.attributes().stream().anyMatch(it -> it.getName().equals(name) && it.getI() == value);
  }

  /** A type that Cairn lacks, as the number of an attribute. */
  private static Optional<String> type(FlatNode node, String attribute) {
    return TensorDecoder.missing(integer(node, attribute)).map(it -> attribute.equals(CAST_TO) ? "cast to " + it : it);
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
