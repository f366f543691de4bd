package dev.cairn.allocator;

import java.util.Arrays;

/** Chunks in the order of their addresses, as parallel arrays that grow. Not safe for many threads while it grows. */
final class ChunkColumns {
  private long[] address = new long[16];
  private long[] bytes = new long[16];
  private long[] requestedBytes = new long[16];
  // The allocation id, or for a free chunk the complement of the time it was freed at.
  private long[] state = new long[16];
  private int[] owner = new int[16];
  private int[] step = new int[16];
  private int count;

  /** Makes room for {@code chunks} in all, so that adding them copies nothing. */
  void ensureRoom(int chunks) {
    if (chunks > address.length) {
      int length = Math.max(chunks, address.length * 2);
      address = Arrays.copyOf(address, length);
      bytes = Arrays.copyOf(bytes, length);
      requestedBytes = Arrays.copyOf(requestedBytes, length);
      state = Arrays.copyOf(state, length);
      owner = Arrays.copyOf(owner, length);
      step = Arrays.copyOf(step, length);
    }
  }

  void add(long atAddress, long ofBytes, long inState) {
    ensureRoom(count + 1);
    address[count] = atAddress;
    bytes[count] = ofBytes;
    state[count] = inState;
    count++;
  }

  /** Sets the holder of the chunk that was added last, which is in use. */
  void held(long byRequestedBytes, int byOwner, int inStep) {
    requestedBytes[count - 1] = byRequestedBytes;
    owner[count - 1] = byOwner;
    step[count - 1] = inStep;
  }

  static long stateOfFree(long freedAt) {
    return ~freedAt;
  }

  static long freedAt(long state) {
    return ~state;
  }

  int count() {
    return count;
  }

  long address(int chunk) {
    return address[chunk];
  }

  long bytes(int chunk) {
    return bytes[chunk];
  }

  long requestedBytes(int chunk) {
    return requestedBytes[chunk];
  }

  long state(int chunk) {
    return state[chunk];
  }

  boolean isInUse(int chunk) {
    return state[chunk] >= 0;
  }

  int owner(int chunk) {
    return owner[chunk];
  }

  int step(int chunk) {
    return step[chunk];
  }
}
