package dev.cairn.runtime;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** The bytes of a tensor as netty's buffer, which keeps the tensor from being closed until it is released. */
final class TensorBuffer extends UnpooledDirectByteBuf {
  private final Runnable release;

  private TensorBuffer(ByteBuffer bytes, Runnable release) {
    super(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.remaining());
    this.release = release;
  }

  /**
   * @param bytes direct, as many as the tensor has
   * @param release called once, when the buffer's last reference is released
   */
  static ByteBuf of(ByteBuffer bytes, Runnable release) {
    return new TensorBuffer(bytes, release);
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    release.run();
  }
}
