package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.ndarray.storage.Hold;

/** The bytes of an array, which stay until this is closed, also when the array is closed before. No scope owns it. */
public final class SavedArray implements AutoCloseable {
  private final ArrayRuntime runtime;
  private final Hold hold;
  private final int writes;

  private SavedArray(NDArray array) {
    this.runtime = array.runtime();
    this.hold = array.range().viewedAs(array.type(), 0);
    this.writes = hold.storage().writes();
  }

  /** The array's bytes as the operations so far leave them. */
  public static SavedArray of(NDArray array) {
    array.requireOpen("save");
    return new SavedArray(array);
  }

  /** Whether an operation that overwrites some of the bytes was pushed since. */
  public boolean isOverwritten() {
    return hold.storage().writes() != writes;
  }

  /** Whether a backward may write the bytes, because they are an attached gradient. */
  public boolean isGradient() {
    return hold.storage().isGradient();
  }

  /** How many bytes stay. */
  public long bytes() {
    return hold.type().bytes();
  }

  /** A new array over the bytes, of the innermost scope. */
  public NDArray restored() {
    return runtime.own(hold.viewedAs(hold.type(), 0));
  }

  @Override
  public void close() {
    hold.close();
  }

  @Override
  public String toString() {
    return hold.summary();
  }
}
