package dev.cairn.runtime.memory.planner.nnvm;

/**
 * One output of a node.
 *
 * @param elements the product of its shape, or {@value #UNKNOWN_SHAPE}
 * @param storage its id before planning: {@link StorageId#NONE}, {@link StorageId#EXTERNAL} or
 *   {@link StorageId#DYNAMIC}
 */
public record NnvmEntry(ElementType type, long elements, int storage) {
  /** The number of elements of an entry whose shape is not known before the run. */
  public static final long UNKNOWN_SHAPE = -1;

  public NnvmEntry {
    // Some options count 4 bytes for each element of any type.
    if (elements < UNKNOWN_SHAPE || elements > Long.MAX_VALUE / Math.max(4, type.bytes())) {
      throw new IllegalArgumentException("bad number of elements: elements=%d type=%s".formatted(elements, type));
    }
    if (storage > StorageId.NONE || storage < StorageId.DYNAMIC) {
      throw new IllegalArgumentException("an entry starts at storage -1, -2 or -3: storage=%d".formatted(storage));
    }
  }

  public static NnvmEntry of(ElementType type, long elements) {
    return new NnvmEntry(type, elements, StorageId.NONE);
  }

  public static NnvmEntry ofUnknownShape(ElementType type) {
    return new NnvmEntry(type, UNKNOWN_SHAPE, StorageId.NONE);
  }

  /** The same, starting at this storage id. */
  public NnvmEntry at(int newStorage) {
    return new NnvmEntry(type, elements, newStorage);
  }

  public boolean isShapeKnown() {
    return elements != UNKNOWN_SHAPE;
  }

  /**
   * The bytes it really takes.
   *
   * @throws IllegalStateException when its shape is not known
   */
  public long bytes() {
    if (!isShapeKnown()) {
      throw new IllegalStateException("no bytes without a shape: entry=" + this);
    }
    return elements * type.bytes();
  }
}
