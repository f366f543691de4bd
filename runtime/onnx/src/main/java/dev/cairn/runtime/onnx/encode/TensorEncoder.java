package dev.cairn.runtime.onnx.encode;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.TensorProto;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.io.IOException;

/** Tensors as messages. */
public final class TensorEncoder {
  /** A message holds less, and its name and shape take some bytes. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - (1L << 16);

  private TensorEncoder() {}

  /** Name and type, without bytes. */
  static TensorProto.Builder head(String name, TensorType type) {
    var head = TensorProto.newBuilder().setName(name).setDataType(ElementTypes.number(type.dtype()));
    for (long extent : type.shape().extents()) {
      head.addDims(extent);
    }
    return head;
  }

  /** A tensor with its bytes, for the small ones. */
  static TensorProto whole(String name, TensorView value) {
    if (value.dtype() == DType.STRING) {
      var strings = head(name, value.type());
      for (String text : StringElements.toArray(value)) {
        strings.addStringData(ByteString.copyFromUtf8(text));
      }
      return strings.build();
    }
    if (value.type().bytes() > MOST_BYTES) {
      throw new IllegalArgumentException("larger than a protobuf message can be (2 GiB): tensor=%s type=%s bytes=%d"
        .formatted(name, value.type(), value.type().bytes()));
    }
    byte[] bytes = value.segment().toArray(ValueLayout.JAVA_BYTE);
    return head(name, value.type()).setRawData(UnsafeByteOperations.unsafeWrap(bytes)).build();
  }

  /**
   * Writes one tensor as a file of its own, as the ONNX backend tests keep theirs. Such a file holds less than 2 GiB.
   */
  public static void write(String name, TensorView value, Path file) throws IOException {
    NewFile.write(file, out -> whole(name, value).writeTo(out));
  }
}
