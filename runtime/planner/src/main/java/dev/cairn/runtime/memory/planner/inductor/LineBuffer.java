package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;

/**
 * A buffer as memory lines name it. A value; built by {@link #of} and the {@code with…} methods.
 *
 * @param name unique in its program, not blank
 * @param bytes its storage
 * @param device opaque; buffers of different devices never share
 * @param dtype opaque; a buffer is handed over only to one of the same
 * @param layout whether it owns its bytes
 * @param alignment what its address must be a multiple of, in bytes; a power of two
 * @param stream on which it is used
 */
public record LineBuffer(String name, SymbolicSize bytes, String device, String dtype, Layout layout, long alignment,
  int stream) {
  /** Whether a buffer owns its bytes. Only bytes of their own are handed over. */
  public enum Layout {
    /** Bytes of its own. */
    OWN,
    /** A view of another buffer. */
    ALIAS,
    /** A holder of several results, without bytes of its own. */
    MULTI_OUTPUT
  }

  public LineBuffer {
    if (name.isBlank()) {
      throw new IllegalArgumentException("buffer without a name: bytes=%s".formatted(bytes));
    }
    if (!OffsetAlignment.isPowerOfTwo(alignment)) {
      throw new IllegalArgumentException(
        "alignment is not a power of two: buffer=%s alignment=%d".formatted(name, alignment));
    }
  }

  /** A float32 on the one device and stream, with bytes of its own at any address. */
  public static LineBuffer of(String name, SymbolicSize bytes) {
    return new LineBuffer(name, bytes, "0", "float32", Layout.OWN, 1, 0);
  }

  public static LineBuffer of(String name, long bytes) {
    return of(name, SymbolicSize.of(bytes));
  }

  public LineBuffer onDevice(String newDevice) {
    return new LineBuffer(name, bytes, newDevice, dtype, layout, alignment, stream);
  }

  public LineBuffer withDtype(String newDtype) {
    return new LineBuffer(name, bytes, device, newDtype, layout, alignment, stream);
  }

  public LineBuffer withLayout(Layout newLayout) {
    return new LineBuffer(name, bytes, device, dtype, newLayout, alignment, stream);
  }

  public LineBuffer withAlignment(long newAlignment) {
    return new LineBuffer(name, bytes, device, dtype, layout, newAlignment, stream);
  }

  public LineBuffer onStream(int newStream) {
    return new LineBuffer(name, bytes, device, dtype, layout, alignment, newStream);
  }

  @Override
  public String toString() {
    return name;
  }
}
