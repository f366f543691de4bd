package dev.cairn.runtime.engine.queue;

import java.util.Locale;

/**
 * Where an operation runs: one processor group or one graphics processor, by number.
 *
 * @param kind what the device is
 * @param index which one of its kind, from 0
 */
public record ExecutionPlace(Kind kind, int index) {
  /** The first processor group. */
  public static final ExecutionPlace CPU = cpu(0);

  /** The kinds of device an engine tells apart. */
  public enum Kind {
    CPU,
    GPU
  }

  public ExecutionPlace {
    if (index < 0) {
      throw new IllegalArgumentException("out of range: kind=%s index=%d".formatted(kind, index));
    }
  }

  public static ExecutionPlace cpu(int index) {
    return new ExecutionPlace(Kind.CPU, index);
  }

  public static ExecutionPlace gpu(int index) {
    return new ExecutionPlace(Kind.GPU, index);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + index;
  }
}
