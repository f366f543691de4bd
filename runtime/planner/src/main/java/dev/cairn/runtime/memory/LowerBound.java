package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A lower bound on the bytes of any plan. For one device it is the most reserved bytes that are live at one step,
 * without gaps, or the top of the highest fixed buffer if that is larger. For several devices it is the sum. Not every
 * problem has a plan that reaches the bound. The bound ignores extra conflicts.
 *
 * @param bytes the bound; 0 without buffers
 * @param step the first step with that many live bytes, on the device that needs most; 0 without buffers
 */
public record LowerBound(long bytes, int step) {
  /** The bound of a problem, in O(n log n). */
  public static LowerBound of(MemoryProblem problem) {
    SortedMap<Integer, LowerBound> bounds = byDevice(problem);
    long sum = bounds.values().stream().mapToLong(LowerBound::bytes).sum();
    LowerBound most = bounds.values().stream().reduce((a, b) -> b.bytes > a.bytes ? b : a).orElse(new LowerBound(0, 0));
    return new LowerBound(sum, most.step);
  }

  /** The bound of each device that has buffers. */
  public static SortedMap<Integer, LowerBound> byDevice(MemoryProblem problem) {
    List<List<Lifetime>> active = problem.active();
    SortedMap<Integer, List<Use>> uses = new TreeMap<>();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      List<Use> ofDevice = uses.computeIfAbsent(buffer.device(), device -> new ArrayList<>());
      active.get(i).forEach(part -> ofDevice.add(new Use(part, buffer.reservedBytes())));
    }
    SortedMap<Integer, LowerBound> bounds = new TreeMap<>();
    uses.forEach((device, ofDevice) -> bounds.put(device, mostHeld(ofDevice)));
    for (Buffer buffer : problem.buffers()) {
      if (buffer.fixedOffset().isPresent()) {
        long top = buffer.fixedOffset().getAsLong() + buffer.reservedBytes();
        bounds.computeIfPresent(buffer.device(),
          (device, bound) -> top > bound.bytes ? new LowerBound(top, buffer.lifetime().first()) : bound);
      }
    }
    return bounds;
  }

  private record Use(Lifetime steps, long bytes) {}

  private static LowerBound mostHeld(List<Use> uses) {
    List<Use> byFirst = uses.stream().sorted(Comparator.comparingInt(use -> use.steps.first())).toList();
    List<Use> byEnd = uses.stream().sorted(Comparator.comparingInt(use -> use.steps.end())).toList();
    LowerBound bound = new LowerBound(0, 0);
    long heldBytes = 0;
    int ended = 0;
    for (Use use : byFirst) {
      int step = use.steps.first();
      while (byEnd.get(ended).steps.end() <= step) {
        heldBytes -= byEnd.get(ended++).bytes;
      }
      heldBytes += use.bytes;
      if (heldBytes > bound.bytes) {
        bound = new LowerBound(heldBytes, step);
      }
    }
    return bound;
  }
}
