package dev.cairn.runtime.executor;

import dev.cairn.runtime.memory.analysis.StreamSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A schedule as plain arrays, for one thread to issue. A <em>segment</em> is a stretch of one stream's steps that
 * nothing else needs to see begin or end within: only its first step waits for other streams, only its last is waited
 * for. So a chain is one segment, and a stream is handed work once for each meeting with another.
 *
 * <p>Segments are in the order of issue: of stream 0, which the issuing thread may have to run itself, each comes as
 * late as possible, so that the other streams have had all they could do by then. Each stream keeps its order, and
 * whatever is waited for is issued before; hence nothing is ordered differently than the schedule says. Immutable.
 */
final class SegmentTable {
  private final int[] steps;
  private final int[] firstStep;
  private final int[] streamOf;
  private final int[] waits;
  private final int[] firstWait;
  private final boolean[] awaited;

  /** A segment in the making; waits are steps. */
  private record Draft(int stream, List<Integer> steps, List<Integer> waits) {}

  SegmentTable(StreamSchedule schedule) {
    boolean[] isAwaited = awaitedSteps(schedule);
    List<Draft> issued = inOrderOfIssue(schedule.streams(), drafts(schedule, isAwaited), schedule.steps().size());
    int[] segmentOf = new int[schedule.steps().size()];
    steps = new int[segmentOf.length];
    firstStep = new int[issued.size() + 1];
    firstWait = new int[issued.size() + 1];
    streamOf = new int[issued.size()];
    awaited = new boolean[issued.size()];
    waits = new int[issued.stream().mapToInt(draft -> draft.waits().size()).sum()];
    for (int segment = 0; segment < issued.size(); segment++) {
      Draft draft = issued.get(segment);
      int step = firstStep[segment];
      int wait = firstWait[segment];
      for (int number : draft.steps()) {
        segmentOf[number] = segment;
        steps[step++] = number;
      }
      for (int number : draft.waits()) {
        waits[wait++] = segmentOf[number];
      }
      firstStep[segment + 1] = step;
      firstWait[segment + 1] = wait;
      streamOf[segment] = draft.stream();
      awaited[segment] = isAwaited[draft.steps().getLast()];
    }
  }

  private static boolean[] awaitedSteps(StreamSchedule schedule) {
    boolean[] isAwaited = new boolean[schedule.steps().size()];
    schedule.steps().forEach(step -> step.waits().forEach(earlier -> isAwaited[earlier] = true));
    return isAwaited;
  }

  /** For each stream, its segments in their order. */
  private static List<List<Draft>> drafts(StreamSchedule schedule, boolean[] isAwaited) {
    List<List<Draft>> byStream = new ArrayList<>();
    for (int stream = 0; stream < schedule.streams(); stream++) {
      byStream.add(new ArrayList<>());
    }
    for (int number = 0; number < schedule.steps().size(); number++) {
      StreamSchedule.Step step = schedule.steps().get(number);
      List<Draft> drafts = byStream.get(step.stream());
      if (drafts.isEmpty() || !step.waits().isEmpty() || isAwaited[drafts.getLast().steps().getLast()]) {
        drafts.add(new Draft(step.stream(), new ArrayList<>(), step.waits()));
      }
      drafts.getLast().steps().add(number);
    }
    return byStream;
  }

  private static List<Draft> inOrderOfIssue(int streams, List<List<Draft>> byStream, int stepCount) {
    List<Draft> issued = new ArrayList<>();
    boolean[] done = new boolean[stepCount];
    int[] next = new int[streams];
    int total = byStream.stream().mapToInt(List::size).sum();
    while (issued.size() < total) {
      int before = issued.size();
      for (int stream = 1; stream < streams; stream++) {
        while (issue(byStream.get(stream), next, stream, done, issued)) {
          next[stream]++;
        }
      }
      // The calls that were just issued may let another stream continue before the first stream's turn.
      if (issued.size() == before) {
        if (!issue(byStream.getFirst(), next, 0, done, issued)) {
          throw new IllegalArgumentException("a step waits for one that comes after it: issued=%d of=%d".formatted(
            issued.size(), total));
        }
        next[0]++;
      }
    }
    return issued;
  }

  private static boolean issue(List<Draft> drafts, int[] next, int stream, boolean[] done, List<Draft> issued) {
    if (next[stream] == drafts.size() || !drafts.get(next[stream]).waits().stream().allMatch(step -> done[step])) {
      return false;
    }
    Draft draft = drafts.get(next[stream]);
    draft.steps().forEach(step -> done[step] = true);
    issued.add(draft);
    return true;
  }

  /** How many segments there are. */
  int size() {
    return streamOf.length;
  }

  int streamOf(int segment) {
    return streamOf[segment];
  }

  /** The segment's steps, ascending. */
  int[] steps(int segment) {
    return Arrays.copyOfRange(steps, firstStep[segment], firstStep[segment + 1]);
  }

  /** The place at which the segment's waits begin; they end where those of the next one begin. */
  int firstWait(int segment) {
    return firstWait[segment];
  }

  /** The segment that a wait is for. */
  int awaited(int wait) {
    return waits[wait];
  }

  /** Whether another stream waits for the segment's end. */
  boolean isAwaited(int segment) {
    return awaited[segment];
  }
}
