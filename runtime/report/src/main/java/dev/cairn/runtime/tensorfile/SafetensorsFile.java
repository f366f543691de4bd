package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file in Hugging Face's safetensors format: the length of a header, the header as JSON, then the bytes of all
 * tensors without gaps.
 *
 * @param tensors by name
 * @param metadata text by name
 */
public record SafetensorsFile(Map<String, TensorView> tensors, Map<String, String> metadata) {
  private static final int LENGTH_BYTES = 8;

  /** Keeps the order of both maps. */
  public SafetensorsFile {
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /**
   * Maps a file. Tensors are in the order of the file, read-only, and last as long as anything refers to them; the file
   * must stay unchanged meanwhile. A tensor is copied when it is not aligned to its element type, or has a boolean byte
   * other than 0 and 1.
   *
   * @throws InvalidTensorFile when the file is damaged, or has elements of a type that Cairn lacks
   */
  public static SafetensorsFile read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      byte[] text = header(channel, size, file);
      long first = LENGTH_BYTES + (long) text.length;
      SafetensorsHeader header = SafetensorsHeader.parse(text, file, size - first);
      MemorySegment bytes = size == first
        ? MemorySegment.NULL
        : channel.map(FileChannel.MapMode.READ_ONLY, first, size - first, Arena.ofAuto());
      Map<String, TensorView> tensors = new LinkedHashMap<>();
      header.tensors().forEach((name, place) -> tensors.put(name, new TensorView(place.type(), usable(place.type(),
        bytes.asSlice(place.begin(), place.type().bytes())))));
      return new SafetensorsFile(tensors, header.metadata());
    }
  }

  /**
   * The metadata of a file; tensors are not read.
   *
   * @throws InvalidTensorFile when the header is damaged, or the file has another length than its tensors
   */
  public static Map<String, String> metadata(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      byte[] text = header(channel, size, file);
      return Map.copyOf(SafetensorsHeader.parse(text, file, size - LENGTH_BYTES - text.length).metadata());
    }
  }

  private static byte[] header(FileChannel channel, long size, Path file) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    if (!TensorBytes.read(channel, start)) {
      throw new InvalidTensorFile(file, size, "not a safetensors file: it has fewer than 8 bytes");
    }
    long length = start.getLong(0);
    if (length < 2 || length > SafetensorsHeader.MOST_BYTES || length > size - LENGTH_BYTES) {
      throw new InvalidTensorFile(file, 0, "not a safetensors file: headerBytes=%s fileBytes=%d".formatted(Long
        .toUnsignedString(length), size));
    }
    byte[] text = new byte[(int) length];
    if (!TensorBytes.read(channel, ByteBuffer.wrap(text))) {
      throw new InvalidTensorFile(file, size, "the file was truncated while it was read");
    }
    return text;
  }

  private static MemorySegment usable(TensorType type, MemorySegment bytes) {
    if (bytes.address() % type.dtype().bytes() == 0 && TensorBytes.isNormal(type.dtype(), bytes)) {
      return bytes;
    }
    MemorySegment copy = TensorBytes.allocate(type).copyFrom(bytes);
    TensorBytes.normalise(type.dtype(), copy);
    return copy;
  }

  /**
   * Writes the tensors sorted as the format's own library sorts them, so that each is aligned: by the size of their
   * elements, largest first, then by name. A file of that name is replaced when the new one is complete.
   *
   * @throws IllegalArgumentException when the format has no such element type
   */
  public void write(Path file) throws IOException {
    Map<String, TensorView> sorted = SafetensorsHeader.sorted(tensors);
    byte[] header = SafetensorsHeader.format(sorted, metadata);
    int dataBegin = Math.ceilDiv(LENGTH_BYTES + header.length, TensorBytes.ALIGNMENT) * TensorBytes.ALIGNMENT;
    ByteBuffer start = ByteBuffer.allocate(dataBegin).order(ByteOrder.LITTLE_ENDIAN);
    start.putLong(dataBegin - LENGTH_BYTES).put(header);
    while (start.hasRemaining()) {
      start.put((byte) ' ');
    }
    WholeFile.write(file, out -> {
      out.write(start.array());
      for (TensorView tensor : sorted.values()) {
        TensorBytes.write(tensor.segment(), out);
      }
    });
  }
}
