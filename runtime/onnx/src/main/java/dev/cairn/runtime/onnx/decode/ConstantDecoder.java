package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** The value of a Constant node, in any of the forms that the operator has. */
final class ConstantDecoder {
  /** The form whose value is a {@link SparseTensorProto}. */
  private static final String SPARSE_FORM = "sparse_value";

  private ConstantDecoder() {}

  /** Whether an operator's attribute of this name may hold a sparse tensor. */
  static boolean isSparse(FlatNode.Operator operator, String attribute) {
    return operator.is("Constant") && attribute.equals(SPARSE_FORM);
  }

  /** The sparse tensor that is a node's value, if it has one. */
  static Optional<SparseTensorProto> sparse(FlatNode node) {
    return node.attributes().stream().filter(it -> isSparse(node.operator(), it.getName()) && it.hasSparseTensor())
      .map(AttributeProto::getSparseTensor).findFirst();
  }

  /**
   * The value that is not sparse.
   *
   * @throws IllegalArgumentException when there is not exactly one value
   */
  static TensorView decode(Attributes attributes) {
    if (attributes.asMap().size() != 1) {
      throw new IllegalArgumentException("a constant needs one value: given=" + attributes.asMap().keySet());
    }
    String form = attributes.asMap().keySet().iterator().next();
    return switch (form) {
      case "value" -> attributes.find(form).orElseThrow() instanceof AttributeValue.Tensor(TensorView value)
        ? value
        : unknown(form);
      case "value_float" -> TensorView.ofFloats(Shape.SCALAR, attributes.getFloat(form, 0));
      case "value_int" -> TensorView.ofLong(attributes.getLong(form, 0));
      case "value_ints" -> TensorView.ofLongs(attributes.getLongs(form));
      case "value_string" -> StringElements.of(Shape.SCALAR, List.of(attributes.getText(form, "")));
      case "value_strings" -> StringElements.of(attributes.getTexts(form));
      case "value_floats" -> attributes.find(form).orElseThrow() instanceof AttributeValue.Reals(List<Float> values)
        ? floats(values)
        : unknown(form);
      default -> unknown(form);
    };
  }

  private static TensorView floats(List<Float> values) {
    float[] all = new float[values.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = values.get(i);
    }
    return new TensorView(TensorType.of(DType.FLOAT32, all.length), MemorySegment.ofArray(all));
  }

  private static TensorView unknown(String form) {
    throw new IllegalArgumentException("a constant has no such value, or not of this kind: attribute=" + form);
  }
}
