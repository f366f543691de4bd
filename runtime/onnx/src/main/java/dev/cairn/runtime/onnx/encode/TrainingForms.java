package dev.cairn.runtime.onnx.encode;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorProto;

/** Operators whose form in training is not ONNX's, and attributes that ONNX does not have. */
final class TrainingForms {
  private static final String TRAINING = "training_mode";

  private TrainingForms() {}

  /** The attributes that ONNX has of a node. */
  static Attributes attributes(String operator, Attributes attributes) {
    Attributes known = attributes.without("draw");
    if (!operator.equals(Operators.DROPOUT)) {
      return known;
    }
    return known.has("seed")
      ? known.without(TRAINING).with("seed", (long) known.getFloat("seed", 0))
      : known.without(TRAINING);
  }

  /**
   * Completes a node in training.
   *
   * @throws IllegalArgumentException when ONNX cannot say what the node does
   */
  static void complete(Node node, NodeProto.Builder encoded, GraphProto.Builder head) {
    if (encoded.getOpType().endsWith("Gradient") || encoded.getOpType().equals(Operators.SCATTER_ADD)
      || encoded.getOpType().equals("KeyMask")) {
      throw new IllegalArgumentException("ONNX has no such operator: node=%s operator=%s".formatted(node.name(), encoded
        .getOpType()));
    }
    if (!node.kind().attributes().getFlag(TRAINING, false)) {
      return;
    }
    if (encoded.getOpType().equals(Operators.BATCH_NORMALIZATION)) {
      if (encoded.getOutputCount() > 3) {
        throw new IllegalArgumentException(
          "ONNX's BatchNormalization does not save the batch's statistics: node=" + node
            .name());
      }
      // All three must have names: ONNX Runtime crashes without.
      for (int i = encoded.getOutputCount(); i < 3; i++) {
        encoded.addOutput(node.name() + "/unused" + i);
      }
    } else if (encoded.getOpType().equals(Operators.DROPOUT)) {
      dropout(node, encoded, head);
    }
  }

  private static void dropout(Node node, NodeProto.Builder encoded, GraphProto.Builder head) {
    if (encoded.getInputCount() > 2 || node.kind().attributes().has("axes")) {
      throw new IllegalArgumentException("ONNX's Dropout reads no random state and shares no mask along axes: node="
        + node.name());
    }
    while (encoded.getInputCount() < 2) {
      encoded.addInput("");
    }
    String name = node.name() + "/" + TRAINING;
    head.addInitializer(TensorProto.newBuilder().setName(name).setDataType(ElementTypes.number(DType.BOOL))
      .addInt32Data(1));
    encoded.addInput(name);
  }
}
