package dev.cairn.runtime.value;

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

  /** The bytes where they lie, or of a GPU's tensor a copy in the host's memory. */
  static ByteBuf of(TensorMemory memory) {
    if (memory.type().bytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("more bytes than a buffer may have: type=" + memory.type());
    }
    ByteBuffer bytes = memory.beginUseOnHost().view().segment().asByteBuffer();
    boolean made = false;
    try {
      ByteBuf buffer = new TensorBuffer(bytes, memory::endUse);
      made = true;
      return buffer;
    } finally {
      if (!made) {
        memory.endUse();
      }
    }
  }

  @Override
  protected void deallocate() {
    super.deallocate();
    release.run();
  }
}
