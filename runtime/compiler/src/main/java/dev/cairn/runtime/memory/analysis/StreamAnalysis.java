package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * From the uses of buffers to a run on several streams: which stream runs each step, which events order them, and which
 * buffers must not share bytes, since nothing says that all uses of the one have ended when the other is first written.
 * Lifetimes stay those of the serial order; the conflicts are added. {@link ConcurrentPlanValidator} proves
 * the plans.
 */
public final class StreamAnalysis {
  private StreamAnalysis() {}

  /** A schedule with the streams of {@link StreamColouring} and no more events than needed. */
  public static StreamSchedule schedule(StepUses uses, int streams) {
    if (streams < 1) {
      throw new IllegalArgumentException("at least one stream is needed: streams=" + streams);
    }
    var dependencies = new StepDependencies(uses);
    return schedule(uses, dependencies, StreamColouring.of(dependencies, streams), streams);
  }

  /**
   * A schedule whose plan by this planner takes no more than the limit: branches for which there is no room run on the
   * first stream. With all of these edges the run is serial, which the limit should allow.
   *
   * @param problem the serial problem of these uses
   */
  public static StreamSchedule scheduleWithin(long limitBytes, StepUses uses, MemoryProblem problem, int streams,
    StreamReuse reuse, MemoryPlanner planner) {
    return new BranchSelection(uses, problem, streams, reuse, planner, limitBytes).select();
  }

  /**
   * Steps on given streams, in a plan for one stream: where its bytes are used again, a step waits for the steps that
   * used them before. So a copy on a stream of its own begins as soon as its bytes are free, whatever steps lie
   * between.
   *
   * @param streamOf by step
   * @param plan of the problem, as {@link dev.cairn.runtime.memory.PlanValidator} has accepted it; the schedule holds
   *   for no other
   */
  public static StreamSchedule within(StepUses uses, int[] streamOf, MemoryProblem problem, MemoryPlan plan) {
    int streams = IntStream.of(streamOf).max().orElse(0) + 1;
    var dependencies = new StepDependencies(uses);
    List<StreamSchedule.Step> alone = new ArrayList<>();
    for (int step = 0; step < uses.size(); step++) {
      alone.add(new StreamSchedule.Step(streamOf[step], List.of(), uses.steps().get(step)));
    }
    List<List<Integer>> freed = freedFor(new StreamSchedule(streams, alone), problem, plan);
    var clocks = new StreamClocks(streams, uses.size());
    List<StreamSchedule.Step> steps = new ArrayList<>();
    for (int step = 0; step < uses.size(); step++) {
      int[] before = IntStream.concat(IntStream.of(dependencies.before(step)), freed.get(step).stream().mapToInt(
        Integer::intValue)).sorted().distinct().toArray();
      steps.add(new StreamSchedule.Step(streamOf[step], clocks.addAfter(streamOf[step], before), uses.steps().get(
        step)));
    }
    return new StreamSchedule(streams, steps);
  }

  /** For each step, the steps that used before it the bytes of a buffer that it takes. */
  private static List<List<Integer>> freedFor(StreamSchedule schedule, MemoryProblem problem, MemoryPlan plan) {
    int[][] lastUse = lastUses(problem.size(), schedule);
    int[] birth = births(problem.size(), schedule);
    List<List<Integer>> freed = new ArrayList<>();
    schedule.steps().forEach(_ -> freed.add(new ArrayList<>()));
    for (int later = 0; later < problem.size(); later++) {
      for (int earlier = 0; birth[later] >= 0 && earlier < problem.size(); earlier++) {
        if (birth[earlier] < birth[later] && shareBytes(earlier, later, problem, plan)) {
          for (int last : lastUse[earlier]) {
            if (last >= 0 && last < birth[later]) {
              freed.get(birth[later]).add(last);
            }
          }
        }
      }
    }
    return freed;
  }

  private static boolean shareBytes(int first, int second, MemoryProblem problem, MemoryPlan plan) {
    Placement one = plan.placements().get(first);
    Placement other = plan.placements().get(second);
    return one.pool() == other.pool() && one.offset() < other.offset() + problem.buffer(second).reservedBytes()
      && other.offset() < one.offset() + problem.buffer(first).reservedBytes();
  }

  /** A schedule with the given stream of each step and no more events than needed. */
  static StreamSchedule schedule(StepUses uses, int[] streamOf, int streams) {
    return schedule(uses, new StepDependencies(uses), streamOf, streams);
  }

  private static StreamSchedule schedule(StepUses uses, StepDependencies dependencies, int[] streamOf,
    int streams) {
    var clocks = new StreamClocks(streams, uses.size());
    List<StreamSchedule.Step> steps = new ArrayList<>();
    for (int step = 0; step < uses.size(); step++) {
      List<Integer> waits = clocks.addAfter(streamOf[step], dependencies.before(step));
      steps.add(new StreamSchedule.Step(streamOf[step], waits, uses.steps().get(step)));
    }
    return new StreamSchedule(streams, steps);
  }

  /**
   * The pairs whose lifetimes in the serial order are apart, but which must not share bytes: O(n²·s) for n
   * buffers and s streams.
   */
  public static Conflicts conflicts(MemoryProblem problem, StreamSchedule schedule, StreamReuse reuse) {
    var clocks = StreamClocks.of(schedule);
    int[][] lastUse = lastUses(problem.size(), schedule);
    int[] birth = births(problem.size(), schedule);
    var conflicts = new Conflicts.Builder();
    for (int later = 0; later < problem.size(); later++) {
      for (int earlier = 0; birth[later] >= 0 && earlier < problem.size(); earlier++) {
        boolean apart = problem.buffer(earlier).lifetime().end() <= problem.buffer(later).lifetime().first();
        if (apart && !mayFollow(lastUse[earlier], birth[later], clocks, schedule, reuse)) {
          conflicts.add(earlier, later);
        }
      }
    }
    return conflicts.build();
  }

  private static boolean mayFollow(int[] lastUse, int birth, StreamClocks clocks, StreamSchedule schedule,
    StreamReuse reuse) {
    int home = schedule.steps().get(birth).stream();
    for (int stream = 0; stream < lastUse.length; stream++) {
      boolean elsewhere = reuse == StreamReuse.SAME_STREAM && stream != home && lastUse[stream] >= 0;
      if (elsewhere || lastUse[stream] > clocks.endedBefore(birth, stream)) {
        return false;
      }
    }
    return true;
  }

  /** For each buffer and stream, -1 for none. */
  private static int[][] lastUses(int buffers, StreamSchedule schedule) {
    int[][] last = new int[buffers][schedule.streams()];
    for (int[] ofBuffer : last) {
      Arrays.fill(ofBuffer, -1);
    }
    for (int step = 0; step < schedule.steps().size(); step++) {
      for (int buffer : schedule.steps().get(step).uses().buffers()) {
        if (buffer < buffers) {
          last[buffer][schedule.steps().get(step).stream()] = step;
        }
      }
    }
    return last;
  }

  /** For each buffer, the step that writes it first, or -1 for none. */
  private static int[] births(int buffers, StreamSchedule schedule) {
    int[] births = new int[buffers];
    Arrays.fill(births, -1);
    for (int step = schedule.steps().size() - 1; step >= 0; step--) {
      for (int buffer : schedule.steps().get(step).uses().writes()) {
        if (buffer < buffers) {
          births[buffer] = step;
        }
      }
    }
    return births;
  }
}
