package dev.cairn.kernels.cpu.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BroadcastTest {

  @Test
  void neighboursMerge() {
    assertThat(Broadcast.of(Shape.of(2, 3, 4, 4), Shape.of(2, 3, 4, 4), Shape.of(3, 1, 1)).runLength()).isEqualTo(16);
    assertThat(Broadcast.of(Shape.of(2, 3, 4), Shape.of(2, 3, 4), Shape.SCALAR).runLength()).isEqualTo(24);
    assertThat(Broadcast.of(Shape.of(5, 7), Shape.of(5, 7), Shape.of(7)).runLength()).isEqualTo(7);
    assertThat(Broadcast.of(Shape.of(1, 5, 1), Shape.of(5, 1), Shape.of(1, 5, 1)).runLength()).isEqualTo(5);
  }

  @Test
  void shapesThatDoNotStretchAreRefused() {
    assertThatThrownBy(() -> Broadcast.of(Shape.of(2, 3), Shape.of(2))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("from=2 to=2x3");
  }

  @Test
  void nothingHasNoRuns() {
    assertThat(Broadcast.of(Shape.of(2, 0, 3), Shape.of(2, 0, 3)).runs(0, 0).next()).isFalse();
  }

  /** Every output element is covered once, and each operand's index is what NumPy's rule says. */
  @Test
  void randomShapesAgreeWithTheRule() {
    var random = new Random(1);
    for (int round = 0; round < 500; round++) {
      long[] extents = random.longs(random.nextInt(5), 1, 5).toArray();
      Shape output = Shape.of(extents);
      var operands = new Shape[] {part(extents, random), part(extents, random), part(extents, random)};
      var broadcast = Broadcast.of(output, operands);
      long first = random.nextLong(output.elementCount());
      long end = random.nextLong(first, output.elementCount() + 1);
      var runs = broadcast.runs(first, end);
      long at = first;
      while (runs.next()) {
        assertThat(runs.output()).isEqualTo(at);
        for (long i = 0; i < runs.length(); i++, at++) {
          for (int k = 0; k < operands.length; k++) {
            assertThat(runs.offset(k) + i * broadcast.step(k)).isEqualTo(index(output, operands[k], at));
          }
        }
      }
      assertThat(at).isEqualTo(end);
    }
  }

  private static Shape part(long[] extents, Random random) {
    long[] kept = Arrays.copyOfRange(extents, random.nextInt(extents.length + 1), extents.length);
    for (int i = 0; i < kept.length; i++) {
      kept[i] = random.nextBoolean() ? 1 : kept[i];
    }
    return Shape.of(kept);
  }

  private static long index(Shape output, Shape operand, long at) {
    long index = 0;
    long stride = 1;
    long rest = at;
    for (int back = 1; back <= output.rank(); back++) {
      long position = rest % output.extent(-back);
      rest /= output.extent(-back);
      if (back <= operand.rank()) {
        index += operand.extent(-back) == 1 ? 0 : position * stride;
        stride *= operand.extent(-back);
      }
    }
    return index;
  }
}
