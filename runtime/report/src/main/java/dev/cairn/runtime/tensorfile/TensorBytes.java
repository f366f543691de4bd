package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Moves the bytes of tensors between files and memory in small parts. Stateless. */
final class TensorBytes {
  /** Elements start at a multiple of this, in files that Cairn writes and in memory. */
  static final int ALIGNMENT = 64;
  private static final int PART_BYTES = 1 << 20;

  private TensorBytes() {}

  /** Native memory, which lasts as long as anything refers to it. */
  static MemorySegment allocate(TensorType type) {
    return Arena.ofAuto().allocate(type.bytes(), ALIGNMENT);
  }

  /** Fills the buffer; false when the channel ends before. */
  static boolean read(ReadableByteChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Fills the segment; false when the channel ends before. */
  static boolean read(ReadableByteChannel channel, MemorySegment data) throws IOException {
    for (long at = 0; at < data.byteSize(); at += PART_BYTES) {
      if (!read(channel, data.asSlice(at, Math.min(PART_BYTES, data.byteSize() - at)).asByteBuffer())) {
        return false;
      }
    }
    return true;
  }

  static void write(MemorySegment data, OutputStream out) throws IOException {
    byte[] part = new byte[(int) Math.min(PART_BYTES, data.byteSize())];
    for (long at = 0; at < data.byteSize(); at += PART_BYTES) {
      int length = (int) Math.min(PART_BYTES, data.byteSize() - at);
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, at, part, 0, length);
      out.write(part, 0, length);
    }
  }

  /** Whether kernels may read these bytes: a boolean is 0 or 1. */
  static boolean isNormal(DType dtype, MemorySegment data) {
    for (long i = 0; dtype == DType.BOOL && i < data.byteSize(); i++) {
      if ((data.get(ValueLayout.JAVA_BYTE, i) & ~1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** A boolean byte other than 0 becomes 1, as NumPy reads it. */
  static void normalise(DType dtype, MemorySegment data) {
    for (long i = 0; dtype == DType.BOOL && i < data.byteSize(); i++) {
      if (data.get(ValueLayout.JAVA_BYTE, i) != 0) {
        data.set(ValueLayout.JAVA_BYTE, i, (byte) 1);
      }
    }
  }
}
