package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.DeclaredType.Container;
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
      .flatMap(input -> element(input.getType()).getTensorType().getShape().getDimList().stream())
      .map(TensorShapeProto.Dimension::getDimParam)
      .distinct()
      .forEach(symbols::take);
  }

  /**
   * The missing feature for which Cairn cannot take such a value; empty when it can, or when the type is missing, which
   * is an error.
   */
  static Optional<String> missing(ValueInfoProto value) {
    if (value.getType().getValueCase() == TypeProto.ValueCase.VALUE_NOT_SET) {
      return Optional.empty();
    }
    TypeProto element = element(value.getType());
    return element.hasTensorType() && container(value.getType()).isPresent()
      ? TensorDecoder.missing(element.getTensorType().getElemType())
      : Optional.of("a value that is not a dense tensor: type=" + text(value));
  }

  /** The type of the tensors that a value consists of. */
  static TypeProto element(TypeProto type) {
    return switch (type.getValueCase()) {
      case SEQUENCE_TYPE -> element(type.getSequenceType().getElemType());
      case OPTIONAL_TYPE -> element(type.getOptionalType().getElemType());
      case MAP_TYPE -> element(type.getMapType().getValueType());
      case SPARSE_TENSOR_TYPE -> dense(type.getSparseTensorType());
      default -> type;
    };
  }

  /** Sparse tensors are given as dense ones. */
  private static TypeProto dense(TypeProto.SparseTensor sparse) {
    var dense = TypeProto.Tensor.newBuilder().setElemType(sparse.getElemType());
    if (sparse.hasShape()) {
      dense.setShape(sparse.getShape());
    }
    return TypeProto.newBuilder().setTensorType(dense).build();
  }

  /** The kind of container of the tensors; empty for containers in others, but for a sequence in an optional. */
  private static Optional<Container> container(TypeProto type) {
    return switch (type.getValueCase()) {
      case TENSOR_TYPE, SPARSE_TENSOR_TYPE -> Optional.of(Container.NONE);
      case SEQUENCE_TYPE -> type.getSequenceType().getElemType().hasTensorType()
        ? Optional.of(Container.SEQUENCE)
        : Optional.empty();
      case OPTIONAL_TYPE -> container(type.getOptionalType().getElemType()).flatMap(it -> switch (it) {
        case NONE -> Optional.of(Container.OPTIONAL);
        case SEQUENCE -> Optional.of(Container.OPTIONAL_SEQUENCE);
        default -> Optional.empty();
      });
      case MAP_TYPE -> type.getMapType().getValueType().hasTensorType()
        ? ElementTypes.find(type.getMapType().getKeyType()).flatMap(it -> switch (it) {
          case STRING -> Optional.of(Container.STRING_MAP);
          case INT64 -> Optional.of(Container.INT64_MAP);
          default -> Optional.empty();
        })
        : Optional.empty();
      default -> Optional.empty();
    };
  }

  DeclaredType decode(ValueInfoProto input) {
    TypeProto.Tensor type = element(input.getType()).getTensorType();
    var dtype = ElementTypes.find(type.getElemType());
    var container = container(input.getType());
    if (container.isEmpty() || dtype.isEmpty()) {
      throw source.invalid("an input has no type: input=" + input.getName());
    }
    if (container.get() != Container.NONE) {
      return new DeclaredType(dtype.get(), List.of(), container.get());
    }
    if (!type.hasShape()) {
      return new DeclaredType(dtype, Optional.empty());
    }
    return new DeclaredType(dtype.get(), dimensions(input));
  }

  /** The type of an input that has a default value; open where the file leaves it open. */
  DeclaredType ofDefault(ValueInfoProto input) {
    TypeProto.Tensor type = input.getType().getTensorType();
    return new DeclaredType(ElementTypes.find(type.getElemType()), type.hasShape()
      ? Optional.of(dimensions(input))
      : Optional.empty());
  }

  private List<Dimension> dimensions(ValueInfoProto value) {
    List<Dimension> dimensions = new ArrayList<>();
    for (TensorShapeProto.Dimension dim : element(value.getType()).getTensorType().getShape().getDimList()) {
      dimensions.add(dimension(dim, value.getName() + "_dim" + dimensions.size()));
    }
    return dimensions;
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
   * Any value's type for people, such as {@code float32[1x3]} or {@code float32[batch x 3]}, with the file's names of
   * dimensions; whatever the file leaves open is a question mark.
   */
  static String text(ValueInfoProto value) {
    TypeProto type = value.getType();
    if (!type.hasTensorType()) {
      return type.getValueCase().name().replace("_TYPE", "").replace("VALUE_NOT_SET", "?").toLowerCase(Locale.ROOT);
    }
    List<TensorShapeProto.Dimension> dimensions = type.getTensorType().getShape().getDimList();
    boolean isNamed = dimensions.stream().anyMatch(dim -> !dim.getDimParam().isEmpty());
    String extents = dimensions.stream().map(TypeDecoder::text).collect(Collectors.joining(isNamed ? " x " : "x"));
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
