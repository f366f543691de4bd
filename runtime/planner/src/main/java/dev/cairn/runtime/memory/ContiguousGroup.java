package dev.cairn.runtime.memory;

import java.util.HashSet;
import java.util.List;

/**
 * Buffers that must be adjacent in one pool, in this order: each begins where the reserved bytes of the previous one
 * end. For example, the buffers of a collective call, or the parts of a tensor that are freed at different times.
 *
 * @param buffers at least two different buffer indexes
 */
public record ContiguousGroup(List<Integer> buffers) {
  public ContiguousGroup {
    buffers = List.copyOf(buffers);
    if (buffers.size() < 2 || new HashSet<>(buffers).size() < buffers.size()) {
      throw new IllegalArgumentException("a group needs at least two different buffers: buffers=" + buffers);
    }
  }

  public static ContiguousGroup of(Integer... buffers) {
    return new ContiguousGroup(List.of(buffers));
  }
}
