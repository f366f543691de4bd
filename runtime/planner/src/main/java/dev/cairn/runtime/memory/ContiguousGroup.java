package dev.cairn.runtime.memory;

import java.util.HashSet;
import java.util.List;

/**
 * Buffers that must lie in one pool one directly after the other, in this order: each begins where the reserved bytes
 * of the one before end. What one collective call reads, or a tensor of which a part is free earlier than the rest.
 *
 * @param buffers indexes, at least two, none twice
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
