package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Operands for measuring kernels. A tensor starts with quarters from -1 to 1, and has one half everywhere else. All
 * types represent these numbers exactly. Stateless.
 */
final class TrialOperands {
  private static final long VARIED_BYTES = 1 << 16;
  private static final int STEP = 7;
  private static final int VALUES = 9;

  private TrialOperands() {}

  /** Fills a tensor on the device, and waits until this has ended. */
  static void fill(CudaStream stream, TensorView target) {
    long bytes = target.segment().byteSize();
    if (bytes == 0) {
      return;
    }
    DType dtype = target.dtype();
    long address = target.segment().address();
    int pattern = bits(dtype, 0.5f);
    stream.fillInts(address, dtype.bytes() == Short.BYTES ? pattern << Short.SIZE | pattern : pattern, bytes
      / Integer.BYTES);
    long rest = bytes % Integer.BYTES;
    stream.fill(address + bytes - rest, (byte) 0, rest);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment varied = arena.allocate(Math.min(bytes, VARIED_BYTES), Long.BYTES);
      for (long i = 0; i < varied.byteSize() / dtype.bytes(); i++) {
        int value = bits(dtype, (i * STEP % VALUES - VALUES / 2) / 4f);
        if (dtype.bytes() == Short.BYTES) {
          varied.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
        } else {
          varied.setAtIndex(ValueLayout.JAVA_INT, i, value);
        }
      }
      stream.copyToDevice(address, varied);
      stream.synchronize();
    }
  }

  private static int bits(DType dtype, float value) {
    return switch (dtype) {
      case FLOAT32 -> Float.floatToRawIntBits(value);
      case FLOAT16 -> Float.floatToFloat16(value) & 0xffff;
      case BFLOAT16 -> Float.floatToRawIntBits(value) >>> Short.SIZE;
      default -> throw new IllegalArgumentException("no such type is tried: type=" + dtype);
    };
  }
}
