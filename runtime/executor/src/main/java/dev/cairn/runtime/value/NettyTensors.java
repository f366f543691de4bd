package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;

/**
 * Tensors over netty's buffers, and buffers over tensors, without copies. Needs {@code io.netty:netty-buffer}, which
 * applications with such buffers have.
 */
public final class NettyTensors {
  private NettyTensors() {}

  /**
   * A tensor over the readable bytes of a direct buffer, without a copy. It retains the buffer until it is closed.
   *
   * @param buffer a direct buffer with exactly the tensor's size readable, in the host's byte order
   */
  public static Tensor wrap(ByteBuf buffer, DType dtype, long... shape) {
    if (!buffer.isDirect() || buffer.nioBufferCount() != 1) {
      throw new IllegalArgumentException("not a single direct buffer: buffer=" + buffer);
    }
    var memory = MemorySegment.ofBuffer(buffer.nioBuffer());
    var view = new TensorView(TensorType.of(dtype, shape), memory);
    buffer.retain();
    return new Tensor(TensorMemory.owned(LocatedView.onHost(view), buffer::release));
  }

  /**
   * A tensor's bytes as a buffer, without a copy unless they are on a GPU. All bytes are readable, in the host's byte
   * order. Release the buffer before you close the tensor (for an output, its result).
   *
   * <pre>{@code
   * channel.writeAndFlush(NettyTensors.toByteBuf(result.get("y"))).addListener(written -> result.close());
   * }</pre>
   *
   * @throws IllegalArgumentException when the tensor has more bytes than a buffer can hold, 2^31 - 1
   * @throws IllegalStateException when closed
   */
  public static ByteBuf toByteBuf(Tensor tensor) {
    return TensorBuffer.of(tensor.memory());
  }
}
