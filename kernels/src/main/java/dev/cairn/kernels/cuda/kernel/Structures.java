package dev.cairn.kernels.cuda.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of CUDA C structures whose fields all have one type. Stateless. */
public final class Structures {
  private Structures() {}

  /** A structure of {@code long long} fields. */
  public static byte[] ofLongs(long... fields) {
    ByteBuffer buffer = ByteBuffer.allocate(fields.length * Long.BYTES).order(ByteOrder.nativeOrder());
    buffer.asLongBuffer().put(fields);
    return buffer.array();
  }

  /** A structure of {@code int} fields. */
  public static byte[] ofInts(int... fields) {
    ByteBuffer buffer = ByteBuffer.allocate(fields.length * Integer.BYTES).order(ByteOrder.nativeOrder());
    buffer.asIntBuffer().put(fields);
    return buffer.array();
  }
}
