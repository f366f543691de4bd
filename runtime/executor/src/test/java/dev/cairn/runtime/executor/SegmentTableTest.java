package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.analysis.StepUses;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SegmentTableTest {
  private static StreamSchedule.Step step(int stream, Integer... waits) {
    return new StreamSchedule.Step(stream, List.of(waits), new StepUses.Step(List.of(), List.of()));
  }

  private static List<String> text(SegmentTable table) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < table.size(); i++) {
      List<Integer> waits = new ArrayList<>();
      for (int wait = table.firstWait(i); wait < table.firstWait(i + 1); wait++) {
        waits.add(table.awaited(wait));
      }
      lines.add("%d: %s after %s%s".formatted(table.streamOf(i), Arrays.toString(table.steps(i)), waits, table
        .isAwaited(i) ? " mark" : ""));
    }
    return lines;
  }

  @Test
  void aChainIsOneSegment() {
    var table = new SegmentTable(new StreamSchedule(2, List.of(step(0), step(0), step(0))));
    assertThat(text(table)).containsExactly("0: [0, 1, 2] after []");
  }

  @Test
  void nothingIsNoSegment() {
    assertThat(new SegmentTable(new StreamSchedule(3, List.of())).size()).isZero();
  }

  /** The caller's own stream is served last, and a branch is handed over as soon as its fork has run. */
  @Test
  void aForkAndAJoinAreFourSegments() {
    var table = new SegmentTable(new StreamSchedule(2,
      List.of(step(0), step(0), step(0), step(1, 0), step(1), step(0, 4), step(0))));
    assertThat(text(table)).containsExactly("0: [0] after [] mark", "1: [3, 4] after [0] mark", "0: [1, 2] after []",
      "0: [5, 6] after [1]");
  }

  @Test
  void waitsForEachOtherAreRefused() {
    var schedule = new StreamSchedule(2, List.of(step(0, 1), step(1, 0)));
    assertThatThrownBy(() -> new SegmentTable(schedule)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("issued=0 of=2");
  }

  @Test
  void randomSchedulesKeepTheirOrder() {
    for (int seed = 0; seed < 200; seed++) {
      StreamSchedule schedule = random(seed);
      assertFaithful(schedule, new SegmentTable(schedule), "seed " + seed);
    }
  }

  private static StreamSchedule random(int seed) {
    var random = new SplittableRandom(seed);
    int streams = 1 + random.nextInt(5);
    int size = random.nextInt(60);
    double waiting = random.nextDouble();
    List<StreamSchedule.Step> steps = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int stream = random.nextInt(streams);
      Set<Integer> waits = new TreeSet<>();
      while (i > 0 && random.nextDouble() < waiting && waits.size() < 3) {
        waits.add(random.nextInt(i));
      }
      waits.removeIf(it -> steps.get(it).stream() == stream);
      steps.add(step(stream, waits.toArray(Integer[]::new)));
    }
    return new StreamSchedule(streams, steps);
  }

  private static void assertFaithful(StreamSchedule schedule, SegmentTable table, String what) {
    int[] last = new int[schedule.streams()];
    Arrays.fill(last, -1);
    List<Integer> endOf = new ArrayList<>();
    Set<Integer> seen = new TreeSet<>();
    for (int segment = 0; segment < table.size(); segment++) {
      int[] steps = table.steps(segment);
      List<Integer> awaited = new ArrayList<>();
      for (int wait = table.firstWait(segment); wait < table.firstWait(segment + 1); wait++) {
        assertThat(table.awaited(wait)).as(what).isLessThan(segment);
        assertThat(table.isAwaited(table.awaited(wait))).as(what).isTrue();
        awaited.add(endOf.get(table.awaited(wait)));
      }
      assertThat(awaited).as(what).containsExactlyElementsOf(schedule.steps().get(steps[0]).waits());
      for (int i = 0; i < steps.length; i++) {
        StreamSchedule.Step step = schedule.steps().get(steps[i]);
        assertThat(step.stream()).as(what).isEqualTo(table.streamOf(segment));
        assertThat(steps[i]).as(what).isGreaterThan(last[step.stream()]);
        assertThat(i == 0 || step.waits().isEmpty()).as(what).isTrue();
        last[step.stream()] = steps[i];
        assertThat(seen.add(steps[i])).as(what).isTrue();
      }
      endOf.add(steps[steps.length - 1]);
    }
    assertThat(seen).as(what).hasSize(schedule.steps().size());
  }
}
