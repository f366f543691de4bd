package dev.cairn.runtime.session;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Reads channels into native memory, which the garbage collector reclaims. */
final class NativeBytes {
  private static final long FIRST_BYTES = 1 << 20;
  private static final long PART_BYTES = 1 << 20;

  private NativeBytes() {}

  /**
   * All that remains in a channel.
   *
   * @param likely how many bytes that probably is; 0 or less if unknown
   */
  static MemorySegment readAll(ReadableByteChannel channel, long likely) throws IOException {
    // One more byte: the read that finds the end needs room.
    MemorySegment memory = Arena.ofAuto().allocate(likely > 0 ? likely + 1 : FIRST_BYTES, Long.BYTES);
    long filled = 0;
    while (true) {
      if (filled == memory.byteSize()) {
        memory = Arena.ofAuto().allocate(2 * filled, Long.BYTES).copyFrom(memory);
      }
      ByteBuffer part = memory.asSlice(filled, Math.min(PART_BYTES, memory.byteSize() - filled)).asByteBuffer();
      int read = channel.read(part);
      if (read < 0) {
        return memory.asSlice(0, filled).asReadOnly();
      }
      filled += read;
    }
  }
}
