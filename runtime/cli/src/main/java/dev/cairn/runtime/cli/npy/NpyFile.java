package dev.cairn.runtime.cli.npy;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads and writes NumPy's array format: magic, version, a header as a Python dictionary, then the elements. Versions
 * 1.0 to 3.0, little-endian, row-major; the format is NumPy's NEP 1.
 */
public final class NpyFile {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  /** Elements start at a multiple of this, in the file and in memory. */
  private static final int ALIGNMENT = 64;
  private static final int PART_BYTES = 1 << 20;

  private NpyFile() {}

  /**
   * Reads an array into native memory, which lasts as long as anything refers to it.
   *
   * @throws IllegalArgumentException when it is not an array that Cairn can hold
   */
  public static TensorView read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ); Arena mapping = Arena.ofConfined()) {
      MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), mapping);
      long dataAt = dataOffset(all, file);
      int prefix = majorVersion(all) == 1 ? 10 : 12;
      String header = new String(all.asSlice(prefix, dataAt - prefix).toArray(ValueLayout.JAVA_BYTE),
        StandardCharsets.UTF_8);
      TensorType type = NpyHeader.parse(header, file);
      if (all.byteSize() - dataAt < type.bytes()) {
        throw new IllegalArgumentException("array file is too short: file=%s type=%s wantedBytes=%d bytes=%d"
          .formatted(file, type, type.bytes(), all.byteSize() - dataAt));
      }
      // A copy, aligned as kernels like it; also, the file may change now.
      MemorySegment data = Arena.ofAuto().allocate(type.bytes(), ALIGNMENT);
      return new TensorView(type, data.copyFrom(all.asSlice(dataAt, type.bytes())));
    }
  }

  private static long dataOffset(MemorySegment all, Path file) {
    MemorySegment magic = MemorySegment.ofArray(MAGIC);
    if (all.byteSize() < 12 || all.asSlice(0, MAGIC.length).mismatch(magic) != -1) {
      throw new IllegalArgumentException("not a NumPy array file: file=" + file);
    }
    ByteBuffer start = all.asSlice(0, 12).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long end = switch (majorVersion(all)) {
      case 1 -> 10L + Short.toUnsignedInt(start.getShort(8));
      case 2, 3 -> 12L + Integer.toUnsignedLong(start.getInt(8));
      default ->
        throw new IllegalArgumentException("unknown version of the array format: file=%s version=%d".formatted(file,
          majorVersion(all)));
    };
    if (end > all.byteSize()) {
      throw new IllegalArgumentException("array file is too short for its header: file=" + file);
    }
    return end;
  }

  private static int majorVersion(MemorySegment all) {
    return all.get(ValueLayout.JAVA_BYTE, MAGIC.length);
  }

  /** Writes an array in version 1.0; a file of that name is replaced when the new one is complete. */
  public static void write(TensorView tensor, Path file) throws IOException {
    byte[] dictionary = NpyHeader.format(tensor.type()).getBytes(StandardCharsets.US_ASCII);
    int headerBytes = Math.ceilDiv(10 + dictionary.length + 1, ALIGNMENT) * ALIGNMENT;
    ByteBuffer header = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (headerBytes - 10)).put(dictionary);
    while (header.position() < headerBytes - 1) {
      header.put((byte) ' ');
    }
    header.put((byte) '\n');
    WholeFile.write(file, out -> {
      out.write(header.array());
      byte[] part = new byte[PART_BYTES];
      for (long at = 0; at < tensor.type().bytes(); at += PART_BYTES) {
        int length = (int) Math.min(PART_BYTES, tensor.type().bytes() - at);
        MemorySegment.copy(tensor.segment(), ValueLayout.JAVA_BYTE, at, part, 0, length);
        out.write(part, 0, length);
      }
    });
  }
}
