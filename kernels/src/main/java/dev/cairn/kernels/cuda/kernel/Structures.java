package dev.cairn.kernels.cuda.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Structures of CUDA C whose fields are all of one type, as they lie in memory. Stateless. */
final class Structures {
  private Structures() {}

  /** Of fields of type {@code long long}. */
  static byte[] ofLongs(long... fields) {
    ByteBuffer buffer = ByteBuffer.allocate(fields.length * Long.BYTES).order(ByteOrder.nativeOrder());
    buffer.asLongBuffer().put(fields);
    return buffer.array();
  }

  /** Of fields of type {@code int}. */
  static byte[] ofInts(int... fields) {
    ByteBuffer buffer = ByteBuffer.allocate(fields.length * Integer.BYTES).order(ByteOrder.nativeOrder());
    buffer.asIntBuffer().put(fields);
    return buffer.array();
  }
}
