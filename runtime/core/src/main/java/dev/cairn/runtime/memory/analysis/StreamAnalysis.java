package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * From the uses of buffers to a run on several streams: who runs where, which events order them, and which buffers must
 * not share bytes, since nothing says that all uses of the one have ended when the other is first written. Lifetimes
 * stay those of the serial order; the conflicts are what comes on top. {@link ConcurrentPlanValidator} proves the
 * plans.
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
   * first stream. With all of them there it is the serial run, which the limit should allow.
   *
   * @param problem the serial problem of these uses
   */
  public static StreamSchedule scheduleWithin(long limitBytes, StepUses uses, MemoryProblem problem, int streams,
    StreamReuse reuse, MemoryPlanner planner) {
    return new BranchSelection(uses, problem, streams, reuse, planner, limitBytes).select();
  }

  /**
   * Two streams: copies run on the second, beside the steps of the first. A copy begins after the step before it in the
   * order, so that all bytes are free which that order frees, and serial plans hold.
   *
   * @param isCopy by step
   */
  public static StreamSchedule besideCopies(StepUses uses, IntPredicate isCopy) {
    var dependencies = new StepDependencies(uses);
    var clocks = new StreamClocks(2, uses.size());
    List<StreamSchedule.Step> steps = new ArrayList<>();
    int last = -1;
    for (int step = 0; step < uses.size(); step++) {
      boolean copies = isCopy.test(step);
      IntStream before = IntStream.of(dependencies.before(step));
      int[] after = (copies && last >= 0 ? IntStream.concat(before, IntStream.of(last)) : before).sorted().distinct()
        .toArray();
      List<Integer> waits = clocks.addAfter(copies ? 1 : 0, after);
      steps.add(new StreamSchedule.Step(copies ? 1 : 0, waits, uses.steps().get(step)));
      last = copies ? last : step;
    }
    return new StreamSchedule(2, steps);
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
   * The pairs whose lifetimes in the serial order are apart, and which must not share bytes all the same: O(n²·s) for n
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

  /** By buffer and stream, -1 for none. */
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

  /** By buffer, the step that writes it first, or -1 for none. */
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
