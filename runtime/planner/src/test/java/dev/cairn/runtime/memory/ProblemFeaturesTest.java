package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Fixed offsets, gaps, devices, groups and conflicts, as a problem states them. */
class ProblemFeaturesTest {
  private static final Buffer A = Buffer.of("a", 10, new Lifetime(0, 9));
  private static final Buffer B = Buffer.of("b", 20, new Lifetime(2, 6));
  private static final Buffer C = Buffer.of("c", 30, new Lifetime(8, 10));

  @Test
  void gapsAreSortedAndMerged() {
    assertThat(A.withGaps(List.of(life(5, 7), life(1, 2), life(2, 3), life(6, 8))).gaps()).containsExactly(life(1, 3),
      life(5, 8));
    assertThat(A.withGaps(List.of())).isEqualTo(A);
  }

  @Test
  void gapsLieWithinTheLifeAndNotAtTheEndOfWhatIsKept() {
    assertThat(A.withGaps(List.of(life(0, 9))).gaps()).hasSize(1);
    assertThatIllegalArgumentException().isThrownBy(() -> B.withGaps(List.of(life(1, 3)))).withMessage(
      "gap outside the lifetime, or at the end of a buffer kept to the last step: buffer=b lifetime=[2, 6) gap=[1, 3)");
    assertThatIllegalArgumentException().isThrownBy(() -> B.withGaps(List.of(life(5, 7))));
    assertThatIllegalArgumentException().isThrownBy(() -> B.withGaps(List.of(life(5, 6))).asOutput());
    assertThatIllegalArgumentException().isThrownBy(() -> B.withoutReuse().withGaps(List.of(life(5, 6))));
    assertThat(B.asOutput().withGaps(List.of(life(3, 5))).gaps()).hasSize(1);
  }

  @Test
  void activeStepsAreHeldStepsWithoutGaps() {
    MemoryProblem problem = MemoryProblem.of(A.withGaps(List.of(life(0, 1), life(4, 5))),
      B.withGaps(List.of(life(2, 6))), C.asOutput());
    assertThat(problem.active()).containsExactly(List.of(life(1, 4), life(5, 9)), List.of(), List.of(life(8, 10)));
  }

  @Test
  void conflictsAreWhatStepByStepComparisonFinds() {
    for (long seed = 0; seed < 300; seed++) {
      MemoryProblem problem = RandomProblems.constrained(seed);
      List<BitSet> held = problem.active().stream().map(active -> IntStream.range(0, problem.steps()).filter(
        step -> holds(active, step)).collect(BitSet::new, BitSet::set, BitSet::or)).toList();
      for (int a = 0; a < problem.size(); a++) {
        for (int b = 0; b < problem.size(); b++) {
          boolean expected = a != b && problem.buffer(a).bytes() > 0 && problem.buffer(b).bytes() > 0
            && problem.buffer(a).device() == problem.buffer(b).device()
            && (held.get(a).intersects(held.get(b)) || problem.conflicts().contains(a, b));
          if (problem.conflicts(a, b) != expected) {
            throw new AssertionError("seed %d: buffers %d and %d".formatted(seed, a, b));
          }
        }
      }
    }
  }

  @Test
  void theBoundIsTheSumOverEachStepOfEachDevice() {
    for (long seed = 0; seed < 300; seed++) {
      MemoryProblem problem = RandomProblems.constrained(seed);
      long expected = 0;
      for (int device = 0; device < 2; device++) {
        long most = 0;
        for (int step = 0; step < problem.steps(); step++) {
          most = Math.max(most, reservedAt(problem, device, step));
        }
        for (Buffer buffer : problem.buffers()) {
          if (buffer.device() == device && buffer.fixedOffset().isPresent()) {
            most = Math.max(most, buffer.fixedOffset().getAsLong() + buffer.reservedBytes());
          }
        }
        expected += most;
      }
      assertThat(LowerBound.of(problem).bytes()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void conflictsAreSymmetricPairs() {
    Conflicts conflicts = new Conflicts.Builder().add(2, 0).add(0, 2).add(1, 2).build();
    assertThat(conflicts.count()).isEqualTo(2);
    assertThat(conflicts.limit()).isEqualTo(3);
    assertThat(conflicts.with(2).toArray()).containsExactly(0, 1);
    assertThat(conflicts.with(7).toArray()).isEmpty();
    assertThat(conflicts.contains(0, 2)).isTrue();
    assertThat(conflicts.contains(0, 1)).isFalse();
    assertThat(conflicts.contains(9, 1)).isFalse();
    assertThat(conflicts).isEqualTo(new Conflicts.Builder().add(1, 2).add(0, 2).build()).isNotEqualTo(Conflicts.NONE)
      .hasSameHashCodeAs(new Conflicts.Builder().add(1, 2).add(0, 2).build()).hasToString("2 conflicts");
    assertThat(new Conflicts.Builder().build()).isEqualTo(Conflicts.NONE);
    assertThatIllegalArgumentException().isThrownBy(() -> new Conflicts.Builder().add(3, 3))
      .withMessage("no pair of buffers: first=3 second=3");
    assertThatIllegalArgumentException().isThrownBy(() -> new Conflicts.Builder().add(-1, 3));
  }

  @Test
  void groupsAndConflictsNameBuffersOfTheProblem() {
    List<Buffer> buffers = List.of(A, B, C);
    assertThatIllegalArgumentException().isThrownBy(() -> ContiguousGroup.of(1))
      .withMessage("a group needs at least two different buffers: buffers=[1]");
    assertThatIllegalArgumentException().isThrownBy(() -> ContiguousGroup.of(1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> grouped(buffers, ContiguousGroup.of(1, 3))).withMessage(
      "group with an unknown or a shared buffer: buffer=3 buffers=3 group=[1, 3]");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> grouped(buffers, ContiguousGroup.of(0, 1), ContiguousGroup.of(2, 1)));
    assertThatIllegalArgumentException()
      .isThrownBy(() -> new MemoryProblem(buffers).with(new Conflicts.Builder().add(0, 3).build()))
      .withMessage("conflict of an unknown buffer: buffer=3 buffers=3");
  }

  @Test
  void problemsThatContradictThemselvesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryProblem.of(A.withFixedOffset(-4)))
      .withMessage("negative fixed offset: buffer=a offset=-4");
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryProblem.of(A.withAlignment(16).withFixedOffset(8)))
      .withMessageStartingWith("fixed offsets and alignments contradict one another: buffers=[a: 10");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> MemoryProblem.of(A.withFixedOffset(0), B.withFixedOffset(9))).withMessage(
        "fixed offsets overlap: first=a: 10 bytes [0, 9) fixed=0 second=b: 20 bytes [2, 6) fixed=9");
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryProblem.of(A.withFixedOffset(Long.MAX_VALUE - 5)))
      .withMessageContaining("overflow");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> grouped(List.of(A, B.onDevice(1)), ContiguousGroup.of(0, 1)))
      .withMessageContaining("alignments or devices contradict");
    assertThatIllegalArgumentException().isThrownBy(() -> grouped(List.of(A.withFixedOffset(5), B.withFixedOffset(16)),
      ContiguousGroup.of(0, 1))).withMessageContaining("fixed offsets contradict");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> grouped(List.of(A, B.withFixedOffset(9)), ContiguousGroup.of(0, 1)));
    assertThatIllegalArgumentException().isThrownBy(() -> grouped(List.of(aligned("x", 64, 64), aligned("y", 1, 1),
      aligned("z", 64, 64)), ContiguousGroup.of(0, 1, 2)));
  }

  @Test
  void fixedBuffersMayShareWhatTheyDoNotHoldAtOneTime() {
    assertThat(MemoryProblem.of(B.withFixedOffset(5), C.withFixedOffset(0)).size()).isEqualTo(2);
    assertThat(MemoryProblem.of(A.withFixedOffset(5), B.withFixedOffset(0).onDevice(1)).size()).isEqualTo(2);
    assertThat(MemoryProblem.of(A.withGaps(List.of(life(2, 6))).withFixedOffset(5), B.withFixedOffset(0)).size())
      .isEqualTo(2);
  }

  /** y must lie at a multiple of 64, and x, 16 bytes, directly before it: at 48, 112 and so on. */
  @Test
  void aBlockFindsTheBaseThatSuitsAllItsBuffers() {
    PlacementUnit unit = grouped(List.of(aligned("x", 16, 16), aligned("y", 100, 64)), ContiguousGroup.of(0, 1)).units()
      .getFirst();
    assertThat(unit.lowestBase(0)).isEqualTo(48);
    assertThat(unit.lowestBase(48)).isEqualTo(48);
    assertThat(unit.lowestBase(49)).isEqualTo(112);
    assertThat(unit.bytes()).isEqualTo(16 + 128);
    long[] offsets = new long[2];
    unit.place(112, offsets);
    assertThat(offsets).containsExactly(112, 128);
  }

  @Test
  void blocksComeByTheirFirstBuffers() {
    MemoryProblem problem = grouped(List.of(A, B.withFixedOffset(40), C), ContiguousGroup.of(2, 1));
    assertThat(problem.units().stream().map(unit -> unit.buffers().length).toList()).containsExactly(1, 2);
    assertThat(problem.units().get(1).fixedBase()).hasValue(10);
    assertThat(problem).hasToString("""
      a: 10 bytes [0, 9)
      b: 20 bytes [2, 6) fixed=40
      c: 30 bytes [8, 10)
      together: c b""");
  }

  @Test
  void featuresAreNamedAndRefusedByName() {
    assertThat(ProblemFeature.of(MemoryProblem.of(A, B))).isEmpty();
    MemoryProblem all = new MemoryProblem(
      List.of(A.withFixedOffset(3), B.onDevice(1), C.withGaps(List.of(life(8, 9))), Buffer.of("d", 1, life(0, 1))),
      List.of(ContiguousGroup.of(2, 3)), new Conflicts.Builder().add(0, 2).build());
    assertThat(ProblemFeature.of(all)).containsExactly(ProblemFeature.values());
    assertThatIllegalArgumentException()
      .isThrownBy(() -> ProblemFeature.requireOnly("p", all, ProblemFeature.GAPS, ProblemFeature.GROUPS)).withMessage(
        "planner does not support the problem's features: planner=p features=[fixed offsets, devices, conflicts]");
  }

  private static long reservedAt(MemoryProblem problem, int device, int step) {
    List<List<Lifetime>> active = problem.active();
    return IntStream.range(0, problem.size())
      .filter(i -> problem.buffer(i).device() == device && holds(active.get(i), step))
      .mapToLong(i -> problem.buffer(i).reservedBytes()).sum();
  }

  private static boolean holds(List<Lifetime> active, int step) {
    return active.stream().anyMatch(part -> part.contains(step));
  }

  private static MemoryProblem grouped(List<Buffer> buffers, ContiguousGroup... groups) {
    return new MemoryProblem(buffers, List.of(groups), Conflicts.NONE);
  }

  private static Buffer aligned(String name, long bytes, long alignment) {
    return Buffer.of(name, bytes, life(0, 1)).withAlignment(alignment);
  }

  private static Lifetime life(int first, int end) {
    return new Lifetime(first, end);
  }
}
