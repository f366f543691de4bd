package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.ProblemFeature;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Hands whole buffers over, as {@code memory_plan_reuse} of PyTorch's Inductor does: a buffer takes over the pool of
 * the one that died last among those with the same reuse key, device, bytes and alignment, else it gets a pool of its
 * own. Every offset is 0.
 *
 * <p>Order within a step: buffers that end at step s were last read at s - 1, so they are freed before those that begin
 * at s are allocated; a step's own inputs and outputs never share (in place is the caller's to express, as one buffer).
 * Both go by index, where upstream frees by the buffers' names. Outputs and buffers that may not be reused are never
 * freed. Freed buffers form a stack for each key: last in, first out, but past those whose pool has served a buffer in
 * conflict with the new one. Holds buffers through their gaps, and refuses fixed offsets and groups.
 *
 * @param options which of the method's variants
 */
public record ReusePlanner(ReuseOptions options) implements MemoryPlanner {
  /**
   * Variants of the method, all off by default.
   *
   * @param peakTest the newer test before a takeover: unless the one died just as the other begins, the bytes that lie
   *   idle in between must not raise the peak of live bytes above that of the run without any takeover. A refused
   *   buffer stays on its stack. It assumes that what is not taken over goes back to an allocator; a plan's pools stay
   *   for the whole run, so here the test can only make plans larger
   */
  public record ReuseOptions(boolean peakTest) {
    public static final ReuseOptions DEFAULT = new ReuseOptions(false);
  }

  /** The plain method. */
  public static final ReusePlanner PLAIN = new ReusePlanner(ReuseOptions.DEFAULT);
  /** With the newer peak test. */
  public static final ReusePlanner PEAK_TESTED = new ReusePlanner(new ReuseOptions(true));

  /** For plans and tables. */
  public String name() {
    return options.peakTest() ? "reuse-peak-test" : "reuse";
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    ProblemFeature.requireOnly(name(), problem, ProblemFeature.GAPS, ProblemFeature.DEVICES, ProblemFeature.CONFLICTS);
    LivePeaks peaks = options.peakTest() ? LivePeaks.of(problem) : LivePeaks.UNLIMITED;
    List<Pool> pools = new ArrayList<>();
    int[] poolOf = new int[problem.size()];
    int[] before = new int[problem.size()]; // who had the pool before, or -1
    Arrays.fill(before, -1);
    Map<Key, Deque<Integer>> freed = new HashMap<>();
    int[] byEnd = byEnd(problem);
    int ended = 0;
    for (int index : byFirst(problem)) {
      Buffer buffer = problem.buffer(index);
      while (problem.buffer(byEnd[ended]).lifetime().end() <= buffer.lifetime().first()) {
        int dead = byEnd[ended++];
        if (problem.buffer(dead).reusable() && !problem.buffer(dead).output()) {
          freed.computeIfAbsent(Key.of(problem.buffer(dead)), key -> new ArrayDeque<>()).push(dead);
        }
      }
      Deque<Integer> stack = freed.getOrDefault(Key.of(buffer), new ArrayDeque<>());
      Integer taken = lastFreed(problem, stack, index, before);
      if (taken != null && peaks.takeOver(problem.buffer(taken), buffer)) {
        stack.remove(taken);
        poolOf[index] = poolOf[taken];
        before[index] = taken;
      } else {
        poolOf[index] = pools.size();
        pools.add(new Pool(buffer.reservedBytes(), buffer.alignment(), buffer.device()));
      }
    }
    return new MemoryPlan(name(), pools, IntStream.of(poolOf).mapToObj(pool -> new Placement(pool, 0)).toList());
  }

  /** The top of the stack; with conflicts, the topmost whose pool nobody in conflict has had. */
  private static @Nullable Integer lastFreed(MemoryProblem problem, Deque<Integer> stack, int index, int[] before) {
    if (problem.conflicts().isEmpty()) {
      return stack.peek();
    }
    for (Integer dead : stack) {
      int owner = dead;
      while (owner >= 0 && !problem.conflicts().contains(index, owner)) {
        owner = before[owner];
      }
      if (owner < 0) {
        return dead;
      }
    }
    return null;
  }

  private static int[] byFirst(MemoryProblem problem) {
    return sorted(problem, Comparator.comparingInt(i -> problem.buffer(i).lifetime().first()));
  }

  private static int[] byEnd(MemoryProblem problem) {
    return sorted(problem, Comparator.comparingInt(i -> problem.buffer(i).lifetime().end()));
  }

  private static int[] sorted(MemoryProblem problem, Comparator<Integer> order) {
    return IntStream.range(0, problem.size()).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }

  private record Key(String reuseKey, long bytes, long alignment, int device) {
    static Key of(Buffer buffer) {
      return new Key(buffer.reuseKey(), buffer.bytes(), buffer.alignment(), buffer.device());
    }
  }
}
