package dev.cairn.kernels.onednn;

/** Makes memory descriptors, in a scope, and asks what they are. */
final class Layouts {
  private static final int ANY = 1;
  private static final int FLOAT32 = 3;

  private final NativeScope scope;

  Layouts(NativeScope scope) {
    this.scope = scope;
  }

  /** The layout that the primitive prefers. */
  long any(long... extents) {
    return scope.create("memory_desc", "dnnl_memory_desc_create_with_tag", extents.length, extents, FLOAT32, ANY);
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
    return scope.create("memory_desc", "dnnl_memory_desc_create_with_strides", extents.length, extents, FLOAT32,
      strides);
  }

  long bytes(long layout) {
    return scope.calls().number("dnnl_memory_desc_get_size", layout);
  }

  boolean areEqual(long one, long other) {
    return scope.calls().answer("dnnl_memory_desc_equal", one, other) != 0;
  }
}
