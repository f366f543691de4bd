package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.Optional;

/** Uses of known operators that Cairn cannot run, seen from the file alone. */
final class OperatorLimits {
  private OperatorLimits() {}

  /** What this use needs and Cairn lacks; empty when nothing is known to be missing. */
  static Optional<String> missing(FlatNode node) {
    return switch (node.operator().name()) {
      case "BatchNormalization" -> integer(node, "training_mode") == 0 && node.outputs().size() > 1
        ? Optional.of("batch statistics, which only training needs")
        : Optional.empty();
      case "BitCast", "Cast" -> TensorDecoder.missing(integer(node, "to")).map(what -> "cast to " + what);
      case "Scan" -> node.operator().opset() < 9 && !node.inputs().isEmpty() && !node.inputs().get(0).isEmpty()
        ? Optional.of("lengths of sequences, which only opset 8 has")
        : Optional.empty();
      case "EyeLike" -> type(node, "dtype");
      case "DequantizeLinear", "QuantizeLinear" -> type(node, "output_dtype").or(() -> type(node, "precision"));
      case "Constant" -> node.attributes()
        .stream()
        .filter(attribute -> ConstantDecoder.MISSING_FORMS.contains(attribute.getName()))
        .findFirst()
        .map(attribute -> "attribute " + attribute.getName());
      default -> Optional.empty();
    };
  }

  /** A type that Cairn lacks, as the number of an attribute; 0 is the default. */
  private static Optional<String> type(FlatNode node, String attribute) {
    return Optional.of(integer(node, attribute)).filter(number -> number != 0).flatMap(TensorDecoder::missing);
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
