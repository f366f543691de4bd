package dev.cairn.runtime.onnx.encode;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Fields of a message that is written piece by piece because it is never in memory as a whole. */
final class MessageParts {
  private MessageParts() {}

  /** Writes what goes before the bytes of a field that holds a message or bytes. */
  static void begin(CodedOutputStream out, int field, long bytes) throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt64NoTag(bytes);
  }

  /** Bytes that such a field takes in all. */
  static long fieldBytes(int field, long bytes) {
    return CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt64SizeNoTag(bytes) + bytes;
  }
}
