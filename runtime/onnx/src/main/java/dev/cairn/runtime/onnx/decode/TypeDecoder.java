package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Types of a model's inputs and outputs. An extent without a number (some exporters write a negative one) becomes a
 * symbol: the file's name for it, or one made of the value's name and the axis.
 */
final class TypeDecoder {
  private final ModelMessage source;
  private final UniqueNames symbols = new UniqueNames();

  /** @param inputs whose symbols keep their names */
  TypeDecoder(List<ValueInfoProto> inputs, ModelMessage source) {
    this.source = source;
    inputs.stream()
      .flatMap(input -> input.getType().getTensorType().getShape().getDimList().stream())
      .map(TensorShapeProto.Dimension::getDimParam)
      .distinct()
      .forEach(symbols::take);
  }

  /** What Cairn lacks to take such a value; empty when it can, or when the type is missing, which is an error. */
  static Optional<String> missing(ValueInfoProto value) {
    TypeProto type = value.getType();
    return switch (type.getValueCase()) {
      case TENSOR_TYPE -> TensorDecoder.missing(type.getTensorType().getElemType());
      case VALUE_NOT_SET -> Optional.empty();
      default -> Optional.of("a value that is not a dense tensor: type=" + text(value));
    };
  }

  DeclaredType decode(ValueInfoProto input) {
    TypeProto.Tensor type = input.getType().getTensorType();
    var dtype = ElementTypes.find(type.getElemType());
    if (!input.getType().hasTensorType() || dtype.isEmpty()) {
      throw source.invalid("an input has no type: input=" + input.getName());
    }
    if (!type.hasShape()) {
      throw source.invalid("an input's rank is not declared: input=" + input.getName());
    }
    var dimensions = new ArrayList<Dimension>();
    for (TensorShapeProto.Dimension dim : type.getShape().getDimList()) {
      dimensions.add(dimension(dim, input.getName() + "_dim" + dimensions.size()));
    }
    return new DeclaredType(dtype.get(), dimensions);
  }

  /** The type that the file declares for an output; empty if it leaves the element type or the rank open. */
  Optional<DeclaredType> declared(ValueInfoProto output) {
    TypeProto.Tensor type = output.getType().getTensorType();
    boolean isKnown = output.getType().hasTensorType() && type.hasShape() && ElementTypes.find(type.getElemType())
      .isPresent();
    return isKnown ? Optional.of(decode(output)) : Optional.empty();
  }

  private Dimension dimension(TensorShapeProto.Dimension dim, String own) {
    if (dim.hasDimValue() && dim.getDimValue() >= 0) {
      return new Dimension.Fixed(dim.getDimValue());
    }
    return new Dimension.Symbol(dim.getDimParam().isEmpty() ? symbols.take(own) : dim.getDimParam());
  }

  /**
   * Any value's type for people, such as {@code float32[batchx3]}; whatever the file leaves open is a question mark.
   */
  static String text(ValueInfoProto value) {
    TypeProto type = value.getType();
    if (!type.hasTensorType()) {
      return type.getValueCase().name().replace("_TYPE", "").replace("VALUE_NOT_SET", "?").toLowerCase(Locale.ROOT);
    }
    String extents = type.getTensorType()
      .getShape()
      .getDimList()
      .stream()
      .map(TypeDecoder::text)
      .collect(Collectors.joining("x"));
    String shape = !type.getTensorType().hasShape() ? "?" : extents.isEmpty() ? "scalar" : extents;
    return ElementTypes.name(type.getTensorType().getElemType()) + "[" + shape + "]";
  }

  private static String text(TensorShapeProto.Dimension dim) {
    if (dim.hasDimValue() && dim.getDimValue() >= 0) {
      return Long.toString(dim.getDimValue());
    }
    return dim.getDimParam().isEmpty() ? "?" : dim.getDimParam();
  }
}
