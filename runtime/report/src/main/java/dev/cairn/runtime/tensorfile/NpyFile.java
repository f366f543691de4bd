package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Reads and writes NumPy's array format: magic, version, a header as a Python dictionary, then the elements. Versions
 * 1.0 to 3.0, little-endian, row-major; the format is NumPy's NEP 1.
 */
public final class NpyFile {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  private NpyFile() {}

  /**
   * Reads an array into native memory, which lasts as long as anything refers to it. A boolean byte other than 0 is 1,
   * as NumPy reads it.
   *
   * @throws IllegalArgumentException when it is not an array that Cairn can hold
   */
  public static TensorView read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      // Read and not mapped: a mapped file that is cut short meanwhile would end the read in an InternalError.
      TensorType type = NpyHeader.parse(header(channel, file), file);
      requireBytes(channel, type, file);
      MemorySegment data = TensorBytes.allocate(type);
      if (!TensorBytes.read(channel, data)) {
        throw new IllegalArgumentException("array file was truncated while it was read: file=" + file);
      }
      TensorBytes.normalise(type.dtype(), data);
      return new TensorView(type, data);
    }
  }

  /** Whether there is as much behind the header as the type takes: told before memory is asked for. */
  private static void requireBytes(FileChannel channel, TensorType type, Path file) throws IOException {
    long left = channel.size() - channel.position();
    if (left < type.bytes()) {
      throw new IllegalArgumentException("array file is too short: file=%s type=%s wantedBytes=%d bytes=%d".formatted(
        file, type, type.bytes(), left));
    }
  }

  /** The dictionary; the channel stands at the first element then. */
  private static String header(FileChannel channel, Path file) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    if (!TensorBytes.read(channel, start) || !Arrays.equals(start.array(), 0, MAGIC.length, MAGIC, 0,
      MAGIC.length)) {
      throw new IllegalArgumentException("not a NumPy array file: file=" + file);
    }
    int version = start.get(MAGIC.length);
    int at = version == 1 ? 10 : 12;
    long length = switch (version) {
      case 1 -> Short.toUnsignedInt(start.getShort(8));
      case 2, 3 -> Integer.toUnsignedLong(start.getInt(8));
      default ->
        throw new IllegalArgumentException("unknown version of the array format: file=%s version=%d".formatted(file,
          version));
    };
    if (length > Math.min(channel.size() - at, Integer.MAX_VALUE - 8)) {
      throw new IllegalArgumentException("array file is too short for its header: file=" + file);
    }
    channel.position(at);
    ByteBuffer text = ByteBuffer.allocate((int) length);
    if (!TensorBytes.read(channel, text)) {
      throw new IllegalArgumentException("array file was truncated while it was read: file=" + file);
    }
    return new String(text.array(), StandardCharsets.UTF_8);
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
  public static void write(TensorView given, Path file) throws IOException {
    TensorView tensor = given.dtype().isPacked() ? unpacked(given) : given;
    byte[] dictionary = NpyHeader.format(tensor.type()).getBytes(StandardCharsets.US_ASCII);
    int headerBytes = Math.ceilDiv(10 + dictionary.length + 1, TensorBytes.ALIGNMENT) * TensorBytes.ALIGNMENT;
    ByteBuffer header = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (headerBytes - 10)).put(dictionary);
    while (header.position() < headerBytes - 1) {
      header.put((byte) ' ');
    }
    header.put((byte) '\n');
    WholeFile.write(file, out -> {
      out.write(header.array());
      TensorBytes.write(tensor.segment(), out);
    });
  }
}
