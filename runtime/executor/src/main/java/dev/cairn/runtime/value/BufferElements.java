package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * The remaining elements of one of Java's buffers, in the host's byte order whatever the buffer's is.
 *
 * @param layout of an element, in the buffer's byte order
 */
record BufferElements(DType dtype, ValueLayout layout, Buffer buffer) {
  /** @throws IllegalArgumentException when the buffer does not say what its elements are */
  static BufferElements of(Buffer buffer) {
    return switch (buffer) {
      case FloatBuffer it -> of(DType.FLOAT32, ValueLayout.JAVA_FLOAT_UNALIGNED, it.order(), it);
      case DoubleBuffer it -> of(DType.FLOAT64, ValueLayout.JAVA_DOUBLE_UNALIGNED, it.order(), it);
      case LongBuffer it -> of(DType.INT64, ValueLayout.JAVA_LONG_UNALIGNED, it.order(), it);
      case IntBuffer it -> of(DType.INT32, ValueLayout.JAVA_INT_UNALIGNED, it.order(), it);
      case ShortBuffer it -> of(DType.INT16, ValueLayout.JAVA_SHORT_UNALIGNED, it.order(), it);
      default -> throw new IllegalArgumentException(
        "not a buffer of float, double, long, int or short; bytes need an element type: given=" + buffer);
    };
  }

  private static BufferElements of(DType dtype, ValueLayout layout, ByteOrder order, Buffer buffer) {
    return new BufferElements(dtype, layout.withOrder(order), buffer);
  }

  /** Copies all elements, in the host's byte order. */
  void copyTo(MemorySegment memory) {
    MemorySegment.copy(MemorySegment.ofBuffer(buffer), layout, 0, memory, layout.withOrder(ByteOrder.nativeOrder()), 0,
      buffer.remaining());
  }
}
