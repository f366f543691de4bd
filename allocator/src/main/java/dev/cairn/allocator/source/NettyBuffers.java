package dev.cairn.allocator.source;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Netty's unpooled direct buffers. Only {@link #find} leads here, so netty need not be on the class path. */
final class NettyBuffers {
  private final UnpooledByteBufAllocator netty = new UnpooledByteBufAllocator(true, true);

  private NettyBuffers() {}

  /** A buffer by its first byte, and what frees it. */
  record Direct(long address, Runnable release) {}

  /** Empty if netty is not on the class path. */
  static Optional<NettyBuffers> find() {
    try {
      Class.forName("io.netty.buffer.UnpooledByteBufAllocator", false, NettyBuffers.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
    return Optional.of(new NettyBuffers());
  }

  /** Bytes of the buffers that are not released. */
  long usedBytes() {
    return netty.metric().usedDirectMemory();
  }

  /** A buffer of so many bytes, filled with zeros; empty if netty refuses. */
  Optional<Direct> allocate(int bytes) {
    ByteBuf buffer;
    try {
      buffer = netty.directBuffer(bytes, bytes);
    } catch (OutOfMemoryError refused) {
      return Optional.empty();
    }
    boolean isGiven = false;
    try {
      var direct = new Direct(MemorySegment.ofBuffer(buffer.nioBuffer(0, bytes)).address(), buffer::release);
      Optional<Direct> given = Optional.of(direct);
      isGiven = true;
      return given;
    } finally {
      // The Java heap may be full.
      if (!isGiven) {
        buffer.release();
      }
    }
  }
}
