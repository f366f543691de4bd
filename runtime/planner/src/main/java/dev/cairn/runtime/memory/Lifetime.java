package dev.cairn.runtime.memory;

/**
 * The steps at which a run needs a buffer, half-open: from the step that writes it to the one after its last reader.
 * Never empty. A buffer that ends at step 3 and one that begins at step 3 may share bytes. Text form: {@code [0, 3)}.
 *
 * @param first first step, at least 0
 * @param end the step after the last, greater than {@code first}
 */
public record Lifetime(int first, int end) {
  public Lifetime {
    if (first < 0) {
      throw new IllegalArgumentException("lifetime begins before step 0: first=%d end=%d".formatted(first, end));
    }
    if (end <= first) {
      throw new IllegalArgumentException("empty lifetime: first=%d end=%d".formatted(first, end));
    }
  }

  /** Number of steps, at least 1. */
  public int length() {
    return end - first;
  }

  /** Whether the two lifetimes share a step. */
  public boolean overlaps(Lifetime other) {
    return first < other.end && other.first < end;
  }

  public boolean contains(int step) {
    return first <= step && step < end;
  }

  /** The lifetime from the earlier beginning to the later end. */
  public Lifetime hull(Lifetime other) {
    return new Lifetime(Math.min(first, other.first), Math.max(end, other.end));
  }

  @Override
  public String toString() {
    return "[" + first + ", " + end + ")";
  }
}
