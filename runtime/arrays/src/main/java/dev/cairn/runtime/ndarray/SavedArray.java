package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.ndarray.storage.ArrayRange;

/** The bytes of an array, which stay until this is closed, also when the array is closed before. No scope owns it. */
public final class SavedArray implements AutoCloseable {
  private final ArrayRuntime runtime;
  private final ArrayRange range;
  private final int writes;
  private boolean closed;

  private SavedArray(ArrayRuntime runtime, ArrayRange range) {
    this.runtime = runtime;
    this.range = range;
    this.writes = range.storage().writes();
  }

  /** The array's bytes as the operations so far leave them. */
  public static SavedArray of(NDArray array) {
    array.requireOpen("save");
    array.range().storage().retain();
    return new SavedArray(array.runtime(), array.range());
  }

  /** Whether an operation that overwrites some of the bytes was pushed since. */
  public boolean isOverwritten() {
    return range.storage().writes() != writes;
  }

  /** Whether a backward may write the bytes, because they are an attached gradient. */
  public boolean isGradient() {
    return range.storage().isGradient();
  }

  /** How many bytes stay. */
  public long bytes() {
    return range.type().bytes();
  }

  /** A new array over the bytes, of the innermost scope. */
  public NDArray restored() {
    return runtime.own(range.viewedAs(range.type(), 0));
  }

  @Override
  public void close() {
    if (closesNow()) {
      range.storage().release();
    }
  }

  private synchronized boolean closesNow() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  @Override
  public String toString() {
    return "%s made by %s".formatted(range.type(), range.storage());
  }
}
