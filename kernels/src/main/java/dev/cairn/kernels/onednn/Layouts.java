package dev.cairn.kernels.onednn;

import dev.cairn.kernels.tensor.DType;

/** Makes memory descriptors, in a scope, and reads their properties. */
final class Layouts {
  private static final int ANY = 1;
  private static final int BFLOAT16 = 2;
  private static final int FLOAT32 = 3;
  private static final int INT32 = 4;
  private static final int INT8 = 5;
  private static final int UINT8 = 6;

  private final NativeScope scope;
  private final int type;

  /** Descriptors of one element type. */
  Layouts(NativeScope scope, DType dtype) {
    this.scope = scope;
    this.type = switch (dtype) {
      case BFLOAT16 -> BFLOAT16;
      case FLOAT32 -> FLOAT32;
      case INT32 -> INT32;
      case INT8 -> INT8;
      case UINT8 -> UINT8;
      default -> throw new IllegalArgumentException("Cairn does not use this element type with oneDNN: dtype=" + dtype);
    };
  }

  /** Descriptors of another element type. */
  Layouts of(DType dtype) {
    return new Layouts(scope, dtype);
  }

  NativeScope scope() {
    return scope;
  }

  /** The layout that the primitive prefers. */
  long any(long... extents) {
    return scope.create("memory_desc", "dnnl_memory_desc_create_with_tag", extents.length, extents, type, ANY);
  }

  /** Row-major. */
  long plain(long... extents) {
    long[] strides = new long[extents.length];
    long stride = 1;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= extents[axis];
    }
    return strided(extents, strides);
  }

  /** Elements that lie strides apart, which are positive. */
  long strided(long[] extents, long[] strides) {
    return scope.create("memory_desc", "dnnl_memory_desc_create_with_strides", extents.length, extents, type,
      strides);
  }

  long bytes(long layout) {
    return scope.calls().number("dnnl_memory_desc_get_size", layout);
  }

  boolean areEqual(long one, long other) {
    return scope.calls().answer("dnnl_memory_desc_equal", one, other) != 0;
  }
}
