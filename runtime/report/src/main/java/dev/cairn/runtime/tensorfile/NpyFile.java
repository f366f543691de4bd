package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads and writes NumPy's array format: magic, version, a header as a Python dictionary, then the elements. Versions
 * 1.0 to 3.0; the format is NumPy's NEP 1. It reads either byte order and either order of elements, and writes
 * little-endian, row-major arrays.
 */
public final class NpyFile {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  /** Longer than any header that NumPy writes. */
  private static final int MOST_HEADER_BYTES = 1 << 20;

  private NpyFile() {}

  /**
   * Reads an array into native memory, which lasts as long as anything refers to it. A boolean byte other than 0 is 1,
   * as NumPy reads it.
   *
   * @throws IllegalArgumentException when it is not an array that Cairn can hold
   */
  public static TensorView read(Path file) throws IOException {
    return read(file, _ -> {});
  }

  /**
   * Reads an array, unless its type is refused before its elements are read.
   *
   * @param requirement throws what refuses a type
   * @throws IllegalArgumentException when it is not an array that Cairn can hold
   */
  public static TensorView read(Path file, Consumer<TensorType> requirement) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      // Read and not mapped: a mapped file that is cut short meanwhile would end the read in an InternalError.
      return read(channel, channel.size(), file.toString(), requirement);
    }
  }

  /**
   * @param size all bytes of the array with its header
   * @param source the file, for messages
   * @param requirement throws what refuses a type
   */
  static TensorView read(ReadableByteChannel channel, long size, String source, Consumer<TensorType> requirement)
    throws IOException {
    ByteBuffer start = start(channel, source);
    long length = start.get(MAGIC.length) == 1
      ? Short.toUnsignedInt(start.getShort(8))
      : Integer.toUnsignedLong(start
        .getInt(8));
    long left = size - start.position() - length;
    if (left < 0) {
      throw new IllegalArgumentException("array file is too short for its header: file=" + source);
    }
    if (length > MOST_HEADER_BYTES) {
      throw new IllegalArgumentException("array header is too long: file=%s bytes=%d most=%d".formatted(source, length,
        MOST_HEADER_BYTES));
    }
    ByteBuffer dictionary = ByteBuffer.allocate((int) length);
    requireAll(TensorBytes.read(channel, dictionary), source);
    NpyHeader.Content content = NpyHeader.parse(new String(dictionary.array(), StandardCharsets.UTF_8), source);
    TensorType type = content.type();
    if (left < type.bytes()) {
      throw new IllegalArgumentException("array file is too short: file=%s type=%s wantedBytes=%d bytes=%d".formatted(
        source, type, type.bytes(), left));
    }
    if (left > type.bytes()) {
      throw new IllegalArgumentException("array file has more bytes than the array has: file=%s type=%s more=%d"
        .formatted(source, type, left - type.bytes()));
    }
    requirement.accept(type);
    MemorySegment data = TensorBytes.allocate(type);
    requireAll(TensorBytes.read(channel, data), source);
    if (content.isBigEndian()) {
      swapBytes(data, type.dtype().bytes());
    }
    TensorBytes.normalise(type.dtype(), data);
    return new TensorView(type, content.isColumnMajor() && type.shape().rank() > 1 ? rowMajor(type, data) : data);
  }

  /** Elements in the machine's order of bytes, which is little-endian, from those in the other one. */
  private static void swapBytes(MemorySegment data, int bytes) {
    for (long at = 0; at < data.byteSize(); at += bytes) {
      for (int i = 0; i < bytes / 2; i++) {
        byte first = data.get(ValueLayout.JAVA_BYTE, at + i);
        data.set(ValueLayout.JAVA_BYTE, at + i, data.get(ValueLayout.JAVA_BYTE, at + bytes - 1 - i));
        data.set(ValueLayout.JAVA_BYTE, at + bytes - 1 - i, first);
      }
    }
  }

  /** The elements with the last axis innermost, from those with the first. */
  private static MemorySegment rowMajor(TensorType type, MemorySegment columns) {
    MemorySegment rows = TensorBytes.allocate(type);
    int bytes = type.dtype().bytes();
    long[] extents = type.shape().extents();
    long[] steps = new long[extents.length];
    long step = bytes;
    for (int axis = 0; axis < extents.length; axis++) {
      steps[axis] = step;
      step *= extents[axis];
    }
    long[] index = new long[extents.length];
    long from = 0;
    for (long to = 0; to < rows.byteSize(); to += bytes) {
      MemorySegment.copy(columns, from, rows, to, bytes);
      for (int axis = extents.length - 1; axis >= 0; axis--) {
        index[axis]++;
        from += steps[axis];
        if (index[axis] < extents[axis]) {
          break;
        }
        from -= steps[axis] * extents[axis];
        index[axis] = 0;
      }
    }
    return rows;
  }

  /** Magic, version and the length of the dictionary, which takes 2 or 4 bytes. */
  private static ByteBuffer start(ReadableByteChannel channel, String source) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).limit(10);
    if (!TensorBytes.read(channel, start) || !Arrays.equals(start.array(), 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IllegalArgumentException("not a NumPy array file: file=" + source);
    }
    int version = start.get(MAGIC.length);
    if (version < 1 || version > 3) {
      throw new IllegalArgumentException("unknown version of the array format: file=%s version=%d".formatted(source,
        version));
    }
    requireAll(version == 1 || TensorBytes.read(channel, start.limit(12)), source);
    return start;
  }

  private static void requireAll(boolean complete, String source) {
    if (!complete) {
      throw new IllegalArgumentException("array file is truncated: file=" + source);
    }
  }

  /** Integers by value, floats by their bits. */
  private static TensorView unpacked(TensorView packed) {
    DType dtype = packed.dtype().isReal() || packed.dtype().isUnsigned() ? DType.UINT8 : DType.INT8;
    TensorType type = packed.type().withDType(dtype);
    MemorySegment bytes = TensorBytes.allocate(type);
    if (dtype == DType.UINT8) {
      NarrowElements.unpack(packed, bytes, 0, packed.elementCount());
    } else {
      for (long i = 0; i < packed.elementCount(); i++) {
        bytes.set(ValueLayout.JAVA_BYTE, i, (byte) packed.longAt(i));
      }
    }
    return new TensorView(type, bytes);
  }

  /**
   * Writes an array in version 1.0; a file of that name is replaced when the new one is complete. Elements of fewer
   * than 8 bits get a byte each.
   */
  public static void write(TensorView tensor, Path file) throws IOException {
    WholeFile.write(file, out -> write(tensor, out));
  }

  /** Returns the bytes written. */
  static long write(TensorView given, OutputStream out) throws IOException {
    TensorView tensor = given.dtype().isPacked() ? unpacked(given) : given;
    byte[] dictionary = NpyHeader.format(tensor.type()).getBytes(StandardCharsets.US_ASCII);
    int headerBytes = Math.ceilDiv(10 + dictionary.length + 1, TensorBytes.ALIGNMENT) * TensorBytes.ALIGNMENT;
    ByteBuffer header = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (headerBytes - 10)).put(dictionary);
    while (header.position() < headerBytes - 1) {
      header.put((byte) ' ');
    }
    header.put((byte) '\n');
    out.write(header.array());
    TensorBytes.write(tensor.segment(), out);
    return headerBytes + tensor.type().bytes();
  }
}
