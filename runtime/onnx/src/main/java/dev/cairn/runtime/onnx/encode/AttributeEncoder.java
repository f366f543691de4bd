package dev.cairn.runtime.onnx.encode;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Attributes of a node, in the order of their names. */
public final class AttributeEncoder {
  private AttributeEncoder() {}

  /** @param operator for attributes that are numbers of element types in the file */
  public static List<AttributeProto> encode(String operator, Attributes attributes) {
    var encoded = new ArrayList<AttributeProto>();
    attributes.asMap().forEach((name, value) -> {
      var builder = AttributeProto.newBuilder().setName(name);
      if (ElementTypes.attributes(operator).contains(name) && value instanceof AttributeValue.Text(String dtype)) {
        encode(builder, new AttributeValue.Int(ElementTypes.number(DType.valueOf(dtype.toUpperCase(Locale.ROOT)))));
      } else {
        encode(builder, value);
      }
      encoded.add(builder.build());
    });
    return encoded;
  }

  private static void encode(AttributeProto.Builder to, AttributeValue given) {
    switch (given) {
      case AttributeValue.Int(long value) -> to.setType(AttributeType.INT).setI(value);
      case AttributeValue.Real(float value) -> to.setType(AttributeType.FLOAT).setF(value);
      case AttributeValue.Text(String value) -> to.setType(AttributeType.STRING).setS(ByteString.copyFromUtf8(value));
      case AttributeValue.Ints(List<Long> values) -> to.setType(AttributeType.INTS).addAllInts(values);
      case AttributeValue.Reals(List<Float> values) -> to.setType(AttributeType.FLOATS).addAllFloats(values);
      case AttributeValue.Texts(List<String> values) -> {
        to.setType(AttributeType.STRINGS);
        values.forEach(value -> to.addStrings(ByteString.copyFromUtf8(value)));
      }
      case AttributeValue.Tensor(TensorView value) -> to.setType(AttributeType.TENSOR).setT(TensorEncoder.whole("",
        value));
    }
  }
}
