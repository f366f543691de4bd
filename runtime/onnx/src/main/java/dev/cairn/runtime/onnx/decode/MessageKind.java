package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import java.util.Map;

/** The messages that have tensors inside, and by which fields one gets to them. */
enum MessageKind {
  TENSOR,
  ATTRIBUTE,
  NODE,
  GRAPH,
  FUNCTION,
  MODEL;

  /** The kind of message that a field holds, by the field's number; only of fields on the way to a tensor. */
  Map<Integer, MessageKind> inner() {
    return switch (this) {
      case MODEL -> Map.of(ModelProto.GRAPH_FIELD_NUMBER, GRAPH, ModelProto.FUNCTIONS_FIELD_NUMBER, FUNCTION);
      case GRAPH -> Map.of(GraphProto.NODE_FIELD_NUMBER, NODE, GraphProto.INITIALIZER_FIELD_NUMBER, TENSOR);
      case FUNCTION -> Map.of(FunctionProto.NODE_FIELD_NUMBER, NODE, FunctionProto.ATTRIBUTE_PROTO_FIELD_NUMBER,
        ATTRIBUTE);
      case NODE -> Map.of(NodeProto.ATTRIBUTE_FIELD_NUMBER, ATTRIBUTE);
      case ATTRIBUTE -> Map.of(AttributeProto.T_FIELD_NUMBER, TENSOR, AttributeProto.G_FIELD_NUMBER, GRAPH);
      case TENSOR -> Map.of();
    };
  }
}
