package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.cairn.runtime.onnx.proto.TensorProto;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A file's message without its weights: the same fields, but for each tensor's raw bytes the place where they lie in
 * the file. Protobuf's own parser copies all that it reads to the heap (since its version 4 also from direct
 * buffers), which for weights would cost their size twice over; so it is given this instead.
 */
final class Skeleton {
  /** As deep as the protobuf parser goes. */
  private static final int MAX_DEPTH = 100;
  private static final int MAX_VARINT_BYTES = 10;

  private final ModelMessage source;
  private final MemorySegment file;
  private long at;

  private Skeleton(ModelMessage source) {
    this.source = source;
    this.file = source.bytes();
  }

  /** @throws dev.cairn.runtime.InvalidModel when a field ends behind its message, or is of no known form */
  static byte[] of(ModelMessage source, MessageKind kind) {
    try {
      return new Skeleton(source).message(kind, source.bytes().byteSize(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }

  private byte[] message(MessageKind kind, long end, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw source.invalid("damaged: messages are nested too deeply: offset=" + at);
    }
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    while (at < end) {
      long start = at;
      int tag = (int) varint(end);
      int wireType = WireFormat.getTagWireType(tag);
      if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        lengthDelimited(kind, tag, start, end, depth, out);
      } else {
        skip(wireType, end);
        copy(start, out);
      }
    }
    out.flush();
    return bytes.toByteArray();
  }

  private void lengthDelimited(MessageKind kind, int tag, long start, long end, int depth, CodedOutputStream out)
    throws IOException {
    long length = varint(end);
    if (length < 0 || length > end - at) {
      throw source.invalid("damaged, or not an ONNX file: a field extends past its message: offset=%d length=%d left=%d"
        .formatted(start, length, end - at));
    }
    int field = WireFormat.getTagFieldNumber(tag);
    MessageKind inner = kind.inner().get(field);
    byte[] instead;
    if (inner != null) {
      instead = message(inner, at + length, depth + 1);
    } else if (kind == MessageKind.TENSOR && field == TensorProto.RAW_DATA_FIELD_NUMBER) {
      instead = new RawPlace(at, length).encoded();
      at += length;
    } else {
      at += length;
      copy(start, out);
      return;
    }
    out.writeUInt32NoTag(tag);
    out.writeUInt32NoTag(instead.length);
    out.writeRawBytes(instead);
  }

  private void skip(int wireType, long end) {
    switch (wireType) {
      case WireFormat.WIRETYPE_VARINT -> varint(end);
      case WireFormat.WIRETYPE_FIXED32 -> at += Integer.BYTES;
      case WireFormat.WIRETYPE_FIXED64 -> at += Long.BYTES;
      default -> throw source.invalid("damaged, or not an ONNX file: unknown field type: offset=" + at);
    }
    if (at > end) {
      throw source.invalid("damaged, or not an ONNX file: a field extends past its message: offset=" + at);
    }
  }

  private long varint(long end) {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES && at < end; i++) {
      byte next = file.get(ValueLayout.JAVA_BYTE, at++);
      value |= (long) (next & 0x7f) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    throw source.invalid("damaged, or not an ONNX file: a number has no end: offset=" + at);
  }

  /** Copies the file from an offset to the current one. */
  private void copy(long from, CodedOutputStream out) throws IOException {
    out.writeRawBytes(file.asSlice(from, at - from).toArray(ValueLayout.JAVA_BYTE));
  }
}
