package dev.cairn.kernels.cuda;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import jcuda.Pointer;

/**
 * The arguments of a kernel in the driver's format: a table of addresses, followed by the values. One block serves any
 * number of launches without garbage. The driver copies the values at each launch, so the caller may change them as
 * soon as the launch returns. Not thread-safe.
 */
public final class ArgumentBlock {
  private final ByteBuffer buffer;
  private final int[] offsets;
  private final int[] slotBytes;
  private final Pointer pointer;

  /** Creates a block for {@code count} arguments of up to 8 bytes each. */
  public ArgumentBlock(int count) {
    this(filled(count));
  }

  private ArgumentBlock(int[] slotBytes) {
    this.slotBytes = slotBytes;
    this.offsets = new int[slotBytes.length];
    int bytes = slotBytes.length * Long.BYTES;
    for (int i = 0; i < slotBytes.length; i++) {
      // No parameter type of a kernel needs an alignment above 16 bytes.
      bytes = (bytes + 15) & -16;
      offsets[i] = bytes;
      bytes += slotBytes[i];
    }
    this.buffer = ByteBuffer.allocateDirect(bytes + 16).alignedSlice(16).order(ByteOrder.nativeOrder());
    long address = MemorySegment.ofBuffer(buffer).address();
    for (int i = 0; i < offsets.length; i++) {
      buffer.putLong(i * Long.BYTES, address + offsets[i]);
    }
    this.pointer = Pointer.to(buffer);
  }

  /** Creates a block for arguments of these sizes in bytes. Structures that a kernel takes by value may be large. */
  public static ArgumentBlock ofSizes(int... slotBytes) {
    for (int bytes : slotBytes) {
      if (bytes < 1 || bytes > 4096) {
        throw new IllegalArgumentException("no argument has this size: bytes=" + bytes);
      }
    }
    return new ArgumentBlock(slotBytes.clone());
  }

  private static int[] filled(int count) {
    int[] sizes = new int[count];
    Arrays.fill(sizes, Long.BYTES);
    return sizes;
  }

  boolean hasSizes(int... bytes) {
    return Arrays.equals(slotBytes, bytes);
  }

  /** The number of arguments. */
  public int count() {
    return offsets.length;
  }

  /** Sets an address or a {@code long}. */
  public ArgumentBlock set(int index, long value) {
    buffer.putLong(at(index, Long.BYTES), value);
    return this;
  }

  /** Sets an {@code int}. A parameter of type {@code bool}, {@code char} or {@code short} reads its low bytes. */
  public ArgumentBlock set(int index, int value) {
    buffer.putInt(at(index, Integer.BYTES), value);
    return this;
  }

  /** Sets a {@code float}. */
  public ArgumentBlock set(int index, float value) {
    buffer.putFloat(at(index, Float.BYTES), value);
    return this;
  }

  /** Sets a {@code double}. */
  public ArgumentBlock set(int index, double value) {
    buffer.putDouble(at(index, Double.BYTES), value);
    return this;
  }

  /** Sets a structure, given as its bytes in memory. */
  public ArgumentBlock set(int index, byte[] structure) {
    buffer.put(at(index, structure.length), structure);
    return this;
  }

  private int at(int index, int bytes) {
    if (bytes > slotBytes[index]) {
      throw new IllegalArgumentException(
        "argument is too large: index=%d bytes=%d slotBytes=%d".formatted(index, bytes, slotBytes[index]));
    }
    return offsets[index];
  }

  /** The table of addresses in memory. */
  MemorySegment segment() {
    return MemorySegment.ofBuffer(buffer);
  }

  Pointer pointer() {
    return pointer;
  }
}
