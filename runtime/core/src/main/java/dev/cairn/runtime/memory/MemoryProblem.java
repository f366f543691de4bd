package dev.cairn.runtime.memory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a planner is asked: buffers, each to be given bytes that no other buffer takes at the same time. Buffers are
 * known by their index. Names are unique, and all sums of bytes over the problem fit a {@code long}. Text form: one
 * line a buffer.
 *
 * @param buffers in the order in which the run makes them; ties go to the earlier
 */
public record MemoryProblem(List<Buffer> buffers) {
  public MemoryProblem {
    buffers = List.copyOf(buffers);
    Set<String> names = new HashSet<>();
    long total = 0;
    for (Buffer buffer : buffers) {
      if (!names.add(buffer.name())) {
        throw new IllegalArgumentException("two buffers with one name: buffer=" + buffer.name());
      }
      // With the worst padding before each buffer, so that no planner's address arithmetic can overflow.
      long worstBytes = buffer.reservedBytes() + (buffer.alignment() - 1);
      if (worstBytes < 0 || total > Long.MAX_VALUE - worstBytes) {
        throw new IllegalArgumentException("bytes of the problem overflow: buffer=%s bytes=%d before=%d"
          .formatted(buffer.name(), buffer.bytes(), total));
      }
      total += worstBytes;
    }
  }

  public static MemoryProblem of(Buffer... buffers) {
    return new MemoryProblem(List.of(buffers));
  }

  public int size() {
    return buffers.size();
  }

  public Buffer buffer(int index) {
    return buffers.get(index);
  }

  /** The step after the last of all lifetimes; 0 without buffers. */
  public int steps() {
    return buffers.stream().mapToInt(buffer -> buffer.lifetime().end()).max().orElse(0);
  }

  /**
   * By buffer index, the steps at which its bytes must be its own: its lifetime, lengthened to the last step for
   * outputs and for buffers that may not be reused. This is what planners place and the validator judges.
   */
  public List<Lifetime> held() {
    int steps = steps();
    return buffers.stream()
      .map(buffer -> buffer.reusable() && !buffer.output()
        ? buffer.lifetime()
        : new Lifetime(buffer.lifetime().first(), steps))
      .toList();
  }

  /** What the run would take without any sharing: the sum of all reserved bytes. */
  public long naiveBytes() {
    return buffers.stream().mapToLong(Buffer::reservedBytes).sum();
  }

  @Override
  public String toString() {
    return buffers.stream().map(Buffer::toString).collect(Collectors.joining("\n"));
  }
}
