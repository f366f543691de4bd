package dev.cairn.runtime.memory.planner.nnvm;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.ProblemFeature;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * NNVM's allocator on a plain memory problem: a pool for each storage. Requests and releases come in order of time; of
 * those of one step, releases first, then the larger request. Outputs and buffers that may not be reused are never
 * released. Colours and types mean nothing here, and what runs in place is the problem's to say. Devices are honoured,
 * and conflicts as NNVM honours colours: a storage is passed over. Gaps are held through; fixed offsets and groups are
 * refused.
 *
 * @param options of which match range and auto-search count
 */
public record NnvmPlanner(NnvmOptions options) implements MemoryPlanner {
  /** Match range 16. */
  public static final NnvmPlanner DEFAULT = new NnvmPlanner(NnvmOptions.DEFAULT);
  /** The best match range of 1 to 16. */
  public static final NnvmPlanner AUTO_SEARCH = new NnvmPlanner(NnvmOptions.DEFAULT.withAutoSearch());

  /** @throws IllegalArgumentException when the options leave no match range to try */
  public NnvmPlanner {
    if (options.matchRanges().length == 0) {
      throw new IllegalArgumentException("no match range to try: options=" + options);
    }
  }

  /** For plans and tables. */
  public String name() {
    return options.autoSearch() ? "nnvm-auto" : "nnvm";
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    ProblemFeature.requireOnly(name(), problem, ProblemFeature.GAPS, ProblemFeature.DEVICES, ProblemFeature.CONFLICTS);
    int[] requests = sorted(problem, Comparator.comparingInt((Integer i) -> problem.buffer(i).lifetime().first())
      .thenComparing(Comparator.comparingLong((Integer i) -> problem.buffer(i).reservedBytes()).reversed()));
    int[] releases = sorted(problem, Comparator.comparingInt(i -> problem.buffer(i).lifetime().end()));
    Answer best = null;
    for (long range : options.matchRanges()) {
      Answer answer = answer(problem, requests, releases, range);
      if (best == null || answer.bytes < best.bytes) {
        best = answer;
      }
    }
    if (best == null) {
      throw new AssertionError("no match range: options=" + options);
    }
    return best.plan(name(), problem);
  }

  /** The outcome of one match range. */
  private static final class Answer {
    /** For each buffer index. */
    private final int[] storages;
    private final List<Long> storageBytes;
    private final long bytes;

    Answer(int[] storages, List<Long> storageBytes) {
      this.storages = storages;
      this.storageBytes = storageBytes;
      this.bytes = storageBytes.stream().mapToLong(Long::longValue).sum();
    }

    MemoryPlan plan(String name, MemoryProblem problem) {
      long[] alignment = new long[storageBytes.size()];
      int[] device = new int[alignment.length];
      for (int i = 0; i < storages.length; i++) {
        device[storages[i]] = problem.buffer(i).device();
        alignment[storages[i]] = Math.max(alignment[storages[i]], problem.buffer(i).alignment());
      }
      List<Pool> pools = new ArrayList<>();
      for (int id = 0; id < alignment.length; id++) {
        pools.add(new Pool(storageBytes.get(id), alignment[id], device[id]));
      }
      return new MemoryPlan(name, pools, IntStream.of(storages).mapToObj(id -> new Placement(id, 0)).toList());
    }
  }

  private static Answer answer(MemoryProblem problem, int[] requests, int[] releases, long range) {
    var allocator = new GraphAllocator(range);
    int[] storages = new int[problem.size()];
    var users = new StorageUsers(problem.conflicts());
    int released = 0;
    for (int index : requests) {
      Buffer buffer = problem.buffer(index);
      while (problem.buffer(releases[released]).lifetime().end() <= buffer.lifetime().first()) {
        int dead = releases[released++];
        if (problem.buffer(dead).reusable() && !problem.buffer(dead).output()) {
          allocator.release(storages[dead]);
        }
      }
      int taken = allocator.request(buffer.reservedBytes(), buffer.device(), it -> users.mayTake(index, it));
      storages[index] = taken;
      users.add(taken, index);
    }
    return new Answer(storages, allocator.storageBytes());
  }

  /** The buffers that have had each storage; remembered only if buffers of the problem are in conflict. */
  private static final class StorageUsers {
    private final Conflicts conflicts;
    private final Map<Integer, BitSet> users = new HashMap<>();

    StorageUsers(Conflicts conflicts) {
      this.conflicts = conflicts;
    }

    void add(int storage, int buffer) {
      if (!conflicts.isEmpty()) {
        users.computeIfAbsent(storage, it -> new BitSet()).set(buffer);
      }
    }

    boolean mayTake(int buffer, int storage) {
      return conflicts.isEmpty()
        || conflicts.with(buffer).noneMatch(users.getOrDefault(storage, new BitSet())::get);
    }
  }

  private static int[] sorted(MemoryProblem problem, Comparator<Integer> order) {
    return IntStream.range(0, problem.size()).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }
}
