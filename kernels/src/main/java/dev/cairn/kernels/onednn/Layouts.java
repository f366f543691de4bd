package dev.cairn.kernels.onednn;

import dev.cairn.kernels.tensor.DType;

/** Makes memory descriptors, in a scope, and asks what they are. */
final class Layouts {
  private static final int ANY = 1;
  private static final int FLOAT32 = 3;
  private static final int BFLOAT16 = 2;
  private static final int INT8 = 5;
  private static final int UINT8 = 6;
  private static final int INT32 = 4;

  private final NativeScope scope;

  Layouts(NativeScope scope) {
    this.scope = scope;
  }

  private static int type(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> FLOAT32;
      case BFLOAT16 -> BFLOAT16;
      case INT8 -> INT8;
      case UINT8 -> UINT8;
      case INT32 -> INT32;
      default -> throw new IllegalArgumentException("not an element type of oneDNN's: dtype=" + dtype);
    };
  }

  /** Whichever layout the primitive likes best. */
  long any(DType dtype, long... extents) {
    return scope.create("memory_desc", "dnnl_memory_desc_create_with_tag", extents.length, extents, type(dtype), ANY);
  }

  /** Row-major. */
  long plain(DType dtype, long... extents) {
    long[] strides = new long[extents.length];
    long stride = 1;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= extents[axis];
    }
    return strided(dtype, extents, strides);
  }

  /** Elements that lie strides apart, which are positive. */
  long strided(DType dtype, long[] extents, long[] strides) {
    return scope.create("memory_desc", "dnnl_memory_desc_create_with_strides", extents.length, extents, type(dtype),
      strides);
  }

  /** Channels innermost: {@code N,spatial...,C} in memory, for {@code N,C,spatial...}. */
  long channelsLast(DType dtype, long... extents) {
    long[] strides = new long[extents.length];
    strides[1] = 1;
    long stride = extents[1];
    for (int axis = extents.length - 1; axis > 1; axis--) {
      strides[axis] = stride;
      stride *= extents[axis];
    }
    strides[0] = stride;
    return strided(dtype, extents, strides);
  }

  long bytes(long layout) {
    return scope.calls().number("dnnl_memory_desc_get_size", layout);
  }

  boolean areEqual(long one, long other) {
    return scope.calls().answer("dnnl_memory_desc_equal", one, other) != 0;
  }
}
