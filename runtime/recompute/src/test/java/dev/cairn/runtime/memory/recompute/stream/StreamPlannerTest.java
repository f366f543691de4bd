package dev.cairn.runtime.memory.recompute.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.runtime.memory.recompute.stream.StreamAnswer.Copy;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem.Step;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem.Weight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamPlannerTest {
  private static StreamProblem layers(int count, long work, long weightBytes, double workPerByte, long capacity) {
    List<Step> steps = Collections.nCopies(count, new Step(work, 10));
    List<Weight> weights = IntStream.range(0, count).mapToObj(it -> new Weight(weightBytes, List.of(it))).toList();
    return new StreamProblem(steps, weights, workPerByte, capacity);
  }

  @Test
  void nothingIsCopiedWhereAllFits() {
    StreamAnswer answer = StreamPlanner.plan(layers(8, 100, 64, 1, 8 * 64 + 10));
    assertThat(answer.copies()).isEmpty();
    assertThat(answer.peakBytes()).isEqualTo(8 * 64 + 10);
    assertThat(answer.stalled()).isZero();
  }

  /** A copy takes half a step: half of the weights stay, the others are copied while the steps before run. */
  @Test
  void copiesThatAreShortEnoughAreHidden() {
    StreamAnswer answer = StreamPlanner.plan(layers(16, 128, 64, 1, 16 * 64 / 2));
    assertThat(answer.peakBytes()).isLessThanOrEqualTo(16 * 64 / 2);
    assertThat(answer.copies()).isNotEmpty().allMatch(it -> it.before() < it.first());
    assertThat(answer.stalled()).isZero();
  }

  /** A copy takes four steps: the link is the limit, and it is never idle for long. */
  @Test
  void whereTheLinkIsTheLimitCopiesAreSpread() {
    StreamProblem problem = layers(64, 16, 64, 1, 64 * 64 / 2);
    StreamAnswer answer = StreamPlanner.plan(problem);
    double least = Math.max(answer.work(), answer.copiedBytes());
    assertThat(answer.peakBytes()).isLessThanOrEqualTo(problem.capacityBytes());
    assertThat(answer.takenWork()).isLessThanOrEqualTo(least / 0.85);
  }

  @Test
  void readersFarApartHaveCopiesOfTheirOwn() {
    List<Step> steps = Collections.nCopies(20, new Step(100, 0));
    var problem = new StreamProblem(steps, List.of(new Weight(64, List.of(1, 2, 18)), new Weight(64, List.of(9))), 2,
      64);
    StreamAnswer answer = StreamPlanner.plan(problem);
    assertThat(answer.peakBytes()).isEqualTo(64);
    assertThat(answer.copies()).extracting(Copy::first).containsExactly(1, 9, 18);
    assertThat(answer.copies().getFirst().last()).isEqualTo(2);
  }

  @Test
  void whatCannotFitSaysTheLeastThatWasFound() {
    StreamProblem problem = layers(4, 100, 64, 1, 64);
    StreamAnswer answer = StreamPlanner.plan(problem);
    assertThat(answer.peakBytes()).isEqualTo(74);
    assertThat(problem.leastBytes()).isEqualTo(64);
    assertThat(StreamPlanner.least(layers(4, 100, 64, 1, 1 << 20)).peakBytes()).isEqualTo(74);
  }

  @Test
  void wrongProblemsAreRefused() {
    assertThatThrownBy(() -> new Weight(64, List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Weight(0, List.of(1))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StreamProblem(List.of(), List.of(new Weight(1, List.of(0))), 1, 1)).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("no such step");
  }

  /**
   * Random problems against a plain model. I1 each read of a streamed weight has a copy that holds it; I2 copies are
   * issued in order, at most at their first reader; I3 the peak is what the model counts; I4 within the capacity where
   * the answer says so, and always where just-in-time copies of all weights are; I5 the time is what the model takes.
   */
  @Test
  void randomProblemsAgreeWithAPlainModel() {
    for (int seed = 0; seed < 3000; seed++) {
      var random = new Random(seed);
      StreamProblem problem = random(random);
      StreamAnswer answer = StreamPlanner.plan(problem);
      assertReads(problem, answer);
      for (int i = 0; i < answer.copies().size(); i++) {
        Copy copy = answer.copies().get(i);
        assertThat(copy.before()).as("seed=%d", seed).isBetween(i == 0 ? 0 : answer.copies().get(i - 1).before(), copy
          .first());
      }
      assertThat(peak(problem, answer)).as("seed=%d", seed).isEqualTo(answer.peakBytes());
      long[] live = problem.steps().stream().mapToLong(Step::liveBytes).toArray();
      problem.weights().forEach(it -> it.readers().forEach(step -> live[step] += it.bytes()));
      boolean isSimple = problem.weights().stream().allMatch(it -> it.readers().size() == 1);
      if (isSimple && Arrays.stream(live).max().orElse(0) <= problem.capacityBytes()) {
        assertThat(answer.peakBytes()).as("seed=%d", seed).isLessThanOrEqualTo(problem.capacityBytes());
      }
      assertThat(time(problem, answer)).as("seed=%d", seed).isCloseTo(answer.takenWork(), within(1e-6));
    }
  }

  private static StreamProblem random(Random random) {
    int count = 1 + random.nextInt(12);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(new Step(random.nextInt(100), random.nextInt(50)));
    }
    List<Weight> weights = new ArrayList<>();
    for (int i = random.nextInt(10); i > 0; i--) {
      List<Integer> readers = random.ints(1 + random.nextInt(3), 0, count).sorted().distinct().boxed().toList();
      weights.add(new Weight(1 + random.nextInt(60), random.nextBoolean() ? readers.subList(0, 1) : readers));
    }
    return new StreamProblem(steps, weights, random.nextDouble() * 4, random.nextInt(400));
  }

  private static void assertReads(StreamProblem problem, StreamAnswer answer) {
    for (int weight = 0; weight < problem.weights().size(); weight++) {
      int index = weight;
      List<Copy> copies = answer.copies().stream().filter(it -> it.weight() == index).toList();
      for (int reader : copies.isEmpty() ? List.<Integer>of() : problem.weights().get(weight).readers()) {
        assertThat(copies).filteredOn(it -> it.first() <= reader && reader <= it.last()).hasSize(1);
      }
    }
  }

  private static long peak(StreamProblem problem, StreamAnswer answer) {
    long resident = 0;
    for (int weight = 0; weight < problem.weights().size(); weight++) {
      int index = weight;
      boolean copied = answer.copies().stream().anyMatch(it -> it.weight() == index);
      resident += copied ? 0 : problem.weights().get(weight).bytes();
    }
    assertThat(answer.residentBytes()).isEqualTo(resident);
    long most = 0;
    for (int step = 0; step < problem.steps().size(); step++) {
      int now = step;
      most = Math.max(most, problem.steps().get(step).liveBytes() + answer.copies().stream().filter(it -> it
        .before() <= now && now <= it.last()).mapToLong(it -> problem.weights().get(it.weight()).bytes()).sum());
    }
    return resident + most;
  }

  /** Events: a copy ends when it has waited for the copy before it and for the step before it, and run. */
  private static double time(StreamProblem problem, StreamAnswer answer) {
    List<Copy> copies = answer.copies();
    double[] stepEnds = new double[problem.steps().size()];
    double[] copyEnds = new double[copies.size()];
    for (int step = 0; step < stepEnds.length; step++) {
      double begin = step == 0 ? 0 : stepEnds[step - 1];
      for (int i = 0; i < copies.size(); i++) {
        Copy copy = copies.get(i);
        if (copy.before() == step) {
          double free = Math.max(i == 0 ? 0 : copyEnds[i - 1], step == 0 ? 0 : stepEnds[step - 1]);
          copyEnds[i] = free + problem.weights().get(copy.weight()).bytes() * problem.workPerByte();
        }
        if (copy.first() == step) {
          begin = Math.max(begin, copyEnds[i]);
        }
      }
      stepEnds[step] = begin + problem.steps().get(step).work();
    }
    return stepEnds[stepEnds.length - 1];
  }
}
