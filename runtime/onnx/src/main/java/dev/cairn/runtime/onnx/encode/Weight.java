package dev.cairn.runtime.onnx.encode;

import com.google.protobuf.CodedOutputStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One constant of the graph on its way into the file.
 *
 * @param head name and type, and for external data the place
 * @param value the bytes
 * @param external whether no bytes follow the head, such as those in the file beside the model
 */
record Weight(TensorProto head, TensorView value, boolean external) {
  private static final int CHUNK_BYTES = 1 << 16;

  static Weight inline(String name, TensorView value) {
    if (value.dtype() == DType.STRING) {
      return new Weight(TensorEncoder.whole(name, value), value, true); // complete: nothing follows the head
    }
    return new Weight(TensorEncoder.head(name, value.type()).build(), value, false);
  }

  static Weight external(String name, TensorView value, String location, long offset) {
    TensorProto head = TensorEncoder.head(name, value.type())
      .setDataLocation(TensorProto.DataLocation.EXTERNAL)
      .addExternalData(fact("location", location))
      .addExternalData(fact("offset", Long.toString(offset)))
      .addExternalData(fact("length", Long.toString(value.type().bytes())))
      .build();
    return new Weight(head, value, true);
  }

  private static StringStringEntryProto fact(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

  /** Bytes of the tensor's message. */
  long messageBytes() {
    long bytes = value.type().bytes();
    return head.getSerializedSize() + (external ? 0 : rawHeadBytes(bytes) + bytes);
  }

  private static int rawHeadBytes(long bytes) {
    int tag = CodedOutputStream.computeTagSize(TensorProto.RAW_DATA_FIELD_NUMBER);
    return tag + CodedOutputStream.computeUInt64SizeNoTag(bytes);
  }

  /** Writes the tensor's message. */
  void writeMessage(CodedOutputStream out) throws IOException {
    head.writeTo(out);
    if (!external) {
      MessageParts.begin(out, TensorProto.RAW_DATA_FIELD_NUMBER, value.type().bytes());
      byte[] chunk = new byte[CHUNK_BYTES];
      for (long at = 0; at < value.type().bytes(); at += chunk.length) {
        out.write(chunk, 0, fill(chunk, at));
      }
    }
  }

  /** Writes the bytes alone. */
  void writeBytes(OutputStream out) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    for (long at = 0; at < value.type().bytes(); at += chunk.length) {
      out.write(chunk, 0, fill(chunk, at));
    }
  }

  private int fill(byte[] chunk, long from) {
    int count = (int) Math.min(chunk.length, value.type().bytes() - from);
    MemorySegment.copy(value.segment(), ValueLayout.JAVA_BYTE, from, chunk, 0, count);
    return count;
  }
}
