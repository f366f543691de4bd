package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Attributes of a node. Files of the first IR versions leave the kind out; then it is that of the field that is
 * there.
 */
final class AttributeDecoder {
  private final ModelMessage source;
  private final TensorDecoder tensors;

  AttributeDecoder(ModelMessage source, TensorDecoder tensors) {
    this.source = source;
    this.tensors = tensors;
  }

  /**
   * The missing feature for which Cairn cannot hold this attribute; empty when it can, or when it has no kind, which is
   * an error.
   */
  static Optional<String> missing(FlatNode.Operator operator, AttributeProto attribute) {
    if (ConstantDecoder.isSparse(operator, attribute.getName()) && attribute.hasSparseTensor()) {
      return inAttribute(attribute, TensorDecoder.missing(attribute.getSparseTensor().getValues()));
    }
    return switch (kind(attribute)) {
      case FLOAT, INT, STRING, FLOATS, INTS, STRINGS, TYPE_PROTO, UNDEFINED -> Optional.empty();
      case TENSOR -> inAttribute(attribute, TensorDecoder.missing(attribute.getT()));
      case GRAPH, GRAPHS, TENSORS, SPARSE_TENSOR, SPARSE_TENSORS, TYPE_PROTOS ->
        Optional.of("attribute %s of kind %s".formatted(attribute.getName(), kind(attribute)));
    };
  }

  private static Optional<String> inAttribute(AttributeProto attribute, Optional<String> missing) {
    return missing.map(what -> what + " in attribute " + attribute.getName());
  }

  /** The attributes but for a {@linkplain ConstantDecoder#sparse sparse} value. */
  Attributes decode(FlatNode node) {
    Map<String, AttributeValue> values = new HashMap<>();
    for (AttributeProto attribute : node.attributes()) {
      DefinedAttributes.fault(node.operator(), attribute.getName()).ifPresent(fault -> {
        throw source.invalid("an attribute is not defined: %s: node=%s".formatted(fault, node.name()));
      });
      if (kind(attribute) == AttributeType.TYPE_PROTO) {
        continue; // the type of an optional, which its value has, too
      }
      if (kind(attribute) == AttributeType.SPARSE_TENSOR) {
        continue;
      }
      if (values.put(attribute.getName(), decode(node, attribute)) != null) {
        throw invalid("one attribute is given twice", node, attribute);
      }
    }
    return Attributes.of(values);
  }

  private AttributeValue decode(FlatNode node, AttributeProto attribute) {
    return switch (kind(attribute)) {
      case FLOAT -> new AttributeValue.Real(attribute.getF());
      case INT -> new AttributeValue.Int(attribute.getI());
      case STRING -> new AttributeValue.Text(text(node, attribute, attribute.getS()));
      case TENSOR -> new AttributeValue.Tensor(tensors.decode(attribute.getT()));
      case FLOATS -> new AttributeValue.Reals(attribute.getFloatsList());
      case INTS -> new AttributeValue.Ints(attribute.getIntsList());
      case STRINGS -> new AttributeValue.Texts(
        attribute.getStringsList().stream().map(bytes -> text(node, attribute, bytes)).toList());
      case UNDEFINED, GRAPH, GRAPHS, TENSORS, SPARSE_TENSOR, SPARSE_TENSORS, TYPE_PROTO, TYPE_PROTOS ->
        throw invalid("an attribute has no value", node, attribute);
    };
  }

  private String text(FlatNode node, AttributeProto attribute, ByteString bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.asReadOnlyByteBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw invalid("an attribute's text is not UTF-8", node, attribute);
    }
  }

  private RuntimeException invalid(String message, FlatNode node, AttributeProto attribute) {
    return source.invalid("%s: node=%s attribute=%s".formatted(message, node.name(), attribute.getName()));
  }

  private static AttributeType kind(AttributeProto attribute) {
    if (attribute.getType() != AttributeType.UNDEFINED) {
      return attribute.getType();
    }
    if (attribute.hasF()) {
      return AttributeType.FLOAT;
    }
    if (attribute.hasI()) {
      return AttributeType.INT;
    }
    if (attribute.hasS()) {
      return AttributeType.STRING;
    }
    if (attribute.hasT()) {
      return AttributeType.TENSOR;
    }
    if (attribute.hasG()) {
      return AttributeType.GRAPH;
    }
    if (attribute.getFloatsCount() > 0) {
      return AttributeType.FLOATS;
    }
    if (attribute.getIntsCount() > 0) {
      return AttributeType.INTS;
    }
    if (attribute.hasSparseTensor()) {
      return AttributeType.SPARSE_TENSOR;
    }
    return attribute.getStringsCount() > 0 ? AttributeType.STRINGS : AttributeType.UNDEFINED;
  }
}
