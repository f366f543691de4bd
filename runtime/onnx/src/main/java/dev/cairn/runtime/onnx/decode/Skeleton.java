package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.WireFormat;
import dev.cairn.runtime.onnx.proto.TensorProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A file's message without its weights: the same fields, but for each tensor's raw bytes the place where they lie in
 * the file. Protobuf's own parser copies all that it reads to the heap (since its version 4 also from direct
 * buffers), which for weights would cost their size twice over; so it is given this instead.
 */
final class Skeleton {
  /** The depth to which the protobuf parser goes. */
  private static final int MAX_DEPTH = 100;
  private static final int MAX_VARINT_BYTES = 10;

  /** Bytes of the file that are copied to the heap at a time: to read a mapped file byte by byte is slow. */
  private static final int WINDOW_BYTES = 4096;
  /** Room for a message's length, which is known when the message has been written. */
  private static final int LENGTH_BYTES = 5;
  /** An array cannot have more. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - 8L;

  private final ModelMessage source;
  private final MemorySegment file;
  private final byte[] window = new byte[WINDOW_BYTES];
  private long windowStart;
  private long windowEnd;
  private byte[] written = new byte[1 << 16];
  private int size;
  private long at;

  private Skeleton(ModelMessage source) {
    this.source = source;
    this.file = source.bytes();
  }

  /** @throws dev.cairn.runtime.session.InvalidModel when a field ends behind its message, or is of no known form */
  static byte[] of(ModelMessage source, MessageKind kind) {
    var skeleton = new Skeleton(source);
    skeleton.message(kind, source.bytes().byteSize(), 0);
    return Arrays.copyOf(skeleton.written, skeleton.size);
  }

  private void message(MessageKind kind, long end, int depth) {
    if (depth > MAX_DEPTH) {
      throw source.invalid("damaged: messages are nested too deeply: offset=" + at);
    }
    while (at < end) {
      long start = at;
      int tag = (int) varint(end);
      int wireType = WireFormat.getTagWireType(tag);
      if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        lengthDelimited(kind, tag, start, end, depth);
      } else {
        skip(wireType, end);
        copy(start, at);
      }
    }
  }

  private void lengthDelimited(MessageKind kind, int tag, long start, long end, int depth) {
    long afterTag = at;
    long length = varint(end);
    if (length < 0 || length > end - at) {
      throw source.invalid("damaged, or not an ONNX file: a field extends past its message: offset=%d length=%d left=%d"
        .formatted(start, length, end - at));
    }
    int field = WireFormat.getTagFieldNumber(tag);
    MessageKind inner = kind.inner(field);
    if (inner != null) {
      copy(start, afterTag);
      int begin = reserveLength();
      message(inner, at + length, depth + 1);
      writeLength(begin);
    } else if (kind == MessageKind.TENSOR && field == TensorProto.RAW_DATA_FIELD_NUMBER) {
      copy(start, afterTag);
      int begin = reserveLength();
      byte[] place = new RawPlace(at, length).encoded();
      room(place.length);
      System.arraycopy(place, 0, written, size, place.length);
      size += place.length;
      writeLength(begin);
      at += length;
    } else {
      at += length;
      copy(start, at);
    }
  }

  private int reserveLength() {
    room(LENGTH_BYTES);
    size += LENGTH_BYTES;
    return size;
  }

  /** Writes the length of what follows its place: in the longest form of such a number, which parsers accept. */
  private void writeLength(int begin) {
    int length = size - begin;
    for (int i = 0; i < LENGTH_BYTES; i++) {
      int more = i < LENGTH_BYTES - 1 ? 0x80 : 0;
      written[begin - LENGTH_BYTES + i] = (byte) ((length >>> (7 * i) & 0x7f) | more);
    }
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
      byte next = next();
      value |= (long) (next & 0x7f) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    throw source.invalid("damaged, or not an ONNX file: a number has no end: offset=" + at);
  }

  private byte next() {
    if (at < windowStart || at >= windowEnd) {
      windowStart = at;
      windowEnd = Math.min(file.byteSize(), at + WINDOW_BYTES);
      MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, window, 0, (int) (windowEnd - at));
    }
    return window[(int) (at++ - windowStart)];
  }

  /** Copies bytes of the file. */
  private void copy(long from, long to) {
    room(to - from);
    int length = (int) (to - from);
    if (from >= windowStart && to <= windowEnd) {
      System.arraycopy(window, (int) (from - windowStart), written, size, length);
    } else {
      MemorySegment.copy(file, ValueLayout.JAVA_BYTE, from, written, size, length);
    }
    size += length;
  }

  private void room(long bytes) {
    long needed = size + bytes;
    if (needed > MOST_BYTES) {
      throw source.invalid("too large without its raw weights; store large weights as external data: offset=" + at);
    }
    if (needed > written.length) {
      written = Arrays.copyOf(written, (int) Math.max(needed, Math.min(2L * written.length, MOST_BYTES)));
    }
  }
}
