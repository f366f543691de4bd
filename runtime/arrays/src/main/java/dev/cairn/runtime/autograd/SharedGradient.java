package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.NDArray;

/** A gradient that several sums may hold; the last one closes its array. */
final class SharedGradient {
  private final NDArray array;
  private final Bytes bytes;
  private int holders = 1;

  /** The owner of the array's bytes. */
  enum Bytes {
    /** The backward owns the bytes, and may overwrite them. */
    OWN,
    /** Another array owns the bytes; this array is a view of them. */
    VIEW,
    /** The array is the caller's own, which stays open. */
    GIVEN
  }

  SharedGradient(NDArray array, Bytes bytes) {
    this.array = array;
    this.bytes = bytes;
  }

  NDArray array() {
    return array;
  }

  SharedGradient retain() {
    holders++;
    return this;
  }

  void release() {
    holders--;
    if (holders == 0 && bytes != Bytes.GIVEN) {
      array.close();
    }
  }

  /** The gradient on a device; if it lies elsewhere, a copy takes over the caller's hold. */
  SharedGradient on(String device) {
    if (array.device().equals(device)) {
      return this;
    }
    var moved = new SharedGradient(array.to(device), Bytes.OWN);
    release();
    return moved;
  }

  /** Whether nothing else reads the array later, so that it may be overwritten. */
  boolean isSole() {
    return bytes == Bytes.OWN && holders == 1;
  }
}
