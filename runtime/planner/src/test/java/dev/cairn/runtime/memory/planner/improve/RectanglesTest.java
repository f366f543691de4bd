package dev.cairn.runtime.memory.planner.improve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.RandomProblems;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RectanglesTest {
  @Test
  void twoMeetInColumnsWhenTheyMeetInSteps() {
    for (long seed = 0; seed < 400; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      Rectangles rectangles = ManyBuffers.rectangles(problem);
      int[] rectangleOf = rectangles.rectanglesOf(IntStream.range(0, problem.size()).toArray());
      int[] bufferOf = IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).bytes() > 0).toArray();
      var held = problem.held();
      for (int i = 0; i < rectangleOf.length; i++) {
        for (int j = 0; j < rectangleOf.length; j++) {
          int a = rectangleOf[i];
          int b = rectangleOf[j];
          boolean meet = rectangles.first(a) < rectangles.end(b) && rectangles.first(b) < rectangles.end(a);
          assertThat(meet).as("seed %d", seed).isEqualTo(held.get(bufferOf[i]).overlaps(held.get(bufferOf[j])));
        }
      }
    }
  }

  @Test
  void stepsAtWhichNothingBeginsAfterAnEndAreNoColumns() {
    Rectangles rectangles = ManyBuffers.rectangles(MemoryProblem.of(Buffer.of("a", 1, new Lifetime(0, 100)),
      Buffer.of("empty", 0, new Lifetime(3, 4)), Buffer.of("b", 2, new Lifetime(50, 60)),
      Buffer.of("c", 4, new Lifetime(70, 200)), Buffer.of("d", 8, new Lifetime(99, 120))));
    assertThat(rectangles.count()).isEqualTo(4);
    assertThat(rectangles.columns()).isEqualTo(2);
    assertThat(IntStream.range(0, 4).map(rectangles::length)).containsExactly(2, 1, 1, 1);
    assertThat(rectangles.busiestColumn()).isEqualTo(1);
  }

  @Test
  void sequencesAndOffsetsSkipBuffersWithoutBytes() {
    Rectangles rectangles = ManyBuffers.rectangles(MemoryProblem.of(Buffer.of("late", 1, new Lifetime(5, 6)),
      Buffer.of("empty", 0, new Lifetime(0, 1)), Buffer.of("early", 1, new Lifetime(0, 1))));
    assertThat(rectangles.rectanglesOf(new int[] {1, 0, 2})).containsExactly(1, 0);
    long[] byBuffer = new long[3];
    rectangles.writeByBuffer(new long[] {70, 80}, byBuffer);
    assertThat(byBuffer).containsExactly(80, 0, 70);
  }

  @Test
  void pinnedOnesAreInNoSequence() {
    Rectangles rectangles = ManyBuffers.rectangles(MemoryProblem.of(Buffer.of("a", 1, new Lifetime(0, 9)),
      Buffer.of("b", 1, new Lifetime(0, 9)).withFixedOffset(40), Buffer.of("c", 2, new Lifetime(3, 4))));
    assertThat(rectangles.pinnedAt(0)).isEqualTo(Rectangles.NOT_PINNED);
    assertThat(rectangles.pinnedAt(1)).isEqualTo(40);
    assertThat(rectangles.rectanglesOf(new int[] {2, 1, 0})).containsExactly(2, 0);
    assertThat(Orders.largestFirst(rectangles)).containsExactly(2, 0);
    assertThat(Orders.outwards(rectangles)).containsExactlyInAnyOrder(0, 2);
  }
}
