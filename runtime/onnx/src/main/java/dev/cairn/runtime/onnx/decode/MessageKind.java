package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import org.jspecify.annotations.Nullable;

/** The messages that have tensors inside, and by which fields one gets to them. */
enum MessageKind {
  TENSOR,
  SPARSE_TENSOR,
  ATTRIBUTE,
  NODE,
  GRAPH,
  FUNCTION,
  MODEL;

  /** The kind of message that a field holds, by the field's number; null for fields that do not lead to a tensor. */
  @Nullable
  MessageKind inner(int field) {
    return switch (this) {
      case MODEL -> field == ModelProto.GRAPH_FIELD_NUMBER
        ? GRAPH
        : field == ModelProto.FUNCTIONS_FIELD_NUMBER ? FUNCTION : null;
      case GRAPH -> field == GraphProto.NODE_FIELD_NUMBER
        ? NODE
        : field == GraphProto.INITIALIZER_FIELD_NUMBER
          ? TENSOR
          : field == GraphProto.SPARSE_INITIALIZER_FIELD_NUMBER ? SPARSE_TENSOR : null;
      case FUNCTION -> field == FunctionProto.NODE_FIELD_NUMBER
        ? NODE
        : field == FunctionProto.ATTRIBUTE_PROTO_FIELD_NUMBER ? ATTRIBUTE : null;
      case NODE -> field == NodeProto.ATTRIBUTE_FIELD_NUMBER ? ATTRIBUTE : null;
      case ATTRIBUTE -> field == AttributeProto.T_FIELD_NUMBER
        ? TENSOR
        : field == AttributeProto.G_FIELD_NUMBER
          ? GRAPH
          : field == AttributeProto.SPARSE_TENSOR_FIELD_NUMBER ? SPARSE_TENSOR : null;
      case SPARSE_TENSOR -> field == SparseTensorProto.VALUES_FIELD_NUMBER
        || field == SparseTensorProto.INDICES_FIELD_NUMBER ? TENSOR : null;
      case TENSOR -> null;
    };
  }
}
