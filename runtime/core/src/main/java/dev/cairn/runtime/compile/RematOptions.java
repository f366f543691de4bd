package dev.cairn.runtime.compile;

import java.util.OptionalLong;

/**
 * How much memory a model may take, and what to do when it needs more. Without a limit, nothing runs again and nothing
 * is copied.
 *
 * @param limitBytes the most for weights, variables and the plan, and for inputs and results as far as {@link
 *   MemoryNeed} counts them
 * @param offload whether results may wait in the host's memory, on a GPU
 * @param linkBytesPerSecond how fast a GPU copies from and to the host's memory: a prediction, which decides what is
 *   copied, never what results are
 */
public record RematOptions(RematMode mode, OptionalLong limitBytes, OffloadChoice offload, long linkBytesPerSecond) {
  public static final RematOptions DEFAULT = new RematOptions(RematMode.AUTO, OptionalLong.empty(), OffloadChoice.AUTO,
    24_000_000_000L);
  /** How many bytes a second of its own memory a GPU moves, for which a step's work is counted. */
  private static final double MEMORY_BYTES_PER_SECOND = 1.536e12;

  public RematOptions {
    if (limitBytes.isPresent() && limitBytes.getAsLong() < 0) {
      throw new IllegalArgumentException("a limit must not be negative: limitBytes=" + limitBytes.getAsLong());
    }
    if (linkBytesPerSecond <= 0) {
      throw new IllegalArgumentException("a link copies bytes: linkBytesPerSecond=" + linkBytesPerSecond);
    }
  }

  public RematOptions withMode(RematMode other) {
    return new RematOptions(other, limitBytes, offload, linkBytesPerSecond);
  }

  public RematOptions withLimitBytes(long bytes) {
    return new RematOptions(mode, OptionalLong.of(bytes), offload, linkBytesPerSecond);
  }

  public RematOptions withOffload(OffloadChoice other) {
    return new RematOptions(mode, limitBytes, other, linkBytesPerSecond);
  }

  public RematOptions withLinkBytesPerSecond(long bytes) {
    return new RematOptions(mode, limitBytes, offload, bytes);
  }

  /** How many bytes of its memory a GPU moves while it copies one byte from or to the host. */
  double memoryToLink() {
    return MEMORY_BYTES_PER_SECOND / linkBytesPerSecond;
  }
}
