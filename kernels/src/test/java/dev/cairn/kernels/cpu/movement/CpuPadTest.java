package dev.cairn.kernels.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue.Text;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuPadTest implements Rounds {

  @ParameterizedTest
  @CsvSource({"constant, 9 9 9 1 2 3 9 9", "edge, 1 1 1 1 2 3 3 3", "reflect, 2 3 2 1 2 3 2 1",
    "wrap, 1 2 3 1 2 3 1 2"})
  void modesByHand(String mode, String expected) {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(3), 1, 2, 3);
    var y = MovedElements.run("Pad", mode(mode), TensorType.of(DType.FLOAT32, 8), x, TestTensors.int64s(3, 2),
      TestTensors.of(DType.FLOAT32, Shape.SCALAR, 9));
    List<String> values = new ArrayList<>();
    for (double value : TestTensors.doubles(y)) {
      values.add(Integer.toString((int) value));
    }
    assertThat(String.join(" ", values)).isEqualTo(expected);
  }

  @Test
  void axesAndNegativePads() {
    MovedElements.check("Pad", Attributes.NONE, Shape.of(3, 4, 5), Shape.of(3, 6, 3),
      i -> i[1] < 1 || i[1] > 4 ? null : new long[] {i[0], i[1] - 1, i[2] + 2},
      TestTensors.int64s(-2, 1, 0, 1), null, TestTensors.int64s(-1, 1));
  }

  @Test
  void theFillValueServesEverySize() {
    for (DType dtype : MovedElements.SIZES) {
      var x = TestTensors.of(dtype, Shape.of(1, 1), 5);
      var y = MovedElements.run("Pad", Attributes.NONE, TensorType.of(dtype, 3, 2), x, TestTensors.int64s(1, 1, 1, 0),
        TestTensors.of(dtype, Shape.SCALAR, 7));
      assertThat(TestTensors.doubles(y)).containsExactly(7, 7, 7, 5, 7, 7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"constant", "edge", "reflect", "wrap"})
  void randomPadsOfRandomShapes(String mode) {
    var random = new Random(mode.hashCode());
    for (int round = 0; round < rounds(150); round++) {
      pad(mode, MovedElements.randomShape(random, 4, 6), random, 5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"constant", "edge", "reflect", "wrap"})
  void largeEnoughForSeveralThreads(String mode) {
    var random = new Random(8);
    pad(mode, Shape.of(2, 16, 56, 56), random, 4);
    pad(mode, Shape.of(1, 3, 30, 1, 257), random, 9);
  }

  @Test
  void anEmptyTensorIsFilledOrRefused() {
    var x = TestTensors.zeros(TensorType.of(DType.FLOAT32, 0));
    var type = TensorType.of(DType.FLOAT32, 2);
    var y = MovedElements.run("Pad", Attributes.NONE, type, x, TestTensors.int64s(1, 1));
    assertThat(TestTensors.doubles(y)).containsExactly(0, 0);
    assertThatThrownBy(() -> MovedElements.run("Pad", mode("edge"), type, x, TestTensors.int64s(1, 1)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nothing to repeat");
  }

  @Test
  void cuttingMoreThanThereIsLeavesTheFillValue() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(2), 1, 2);
    var y = MovedElements.run("Pad", Attributes.NONE, TensorType.of(DType.FLOAT32, 4), x, TestTensors.int64s(-3, 5));
    assertThat(TestTensors.doubles(y)).containsExactly(0, 0, 0, 0);
  }

  @Test
  void wrongPadsAreRefused() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(2), 1, 2);
    var type = TensorType.of(DType.FLOAT32, 4);
    assertThatThrownBy(() -> MovedElements.run("Pad", mode("mirror"), type, x, TestTensors.int64s(1, 1)))
      .hasMessageContaining("mode=mirror");
    assertThatThrownBy(() -> MovedElements.run("Pad", Attributes.NONE, type, x, TestTensors.int64s(1, 1, 1)))
      .hasMessageContaining("two pads an axis");
    assertThatThrownBy(() -> MovedElements.run("Pad", Attributes.NONE, type, x, TestTensors.int64s(1, 2)))
      .hasMessageContaining("pads and output differ");
  }

  private static Attributes mode(String mode) {
    return Attributes.NONE.with("mode", new Text(mode));
  }

  private static void pad(String mode, Shape shape, Random random, int reach) {
    int rank = shape.rank();
    long[] pads = new long[2 * rank];
    long[] extents = new long[rank];
    List<List<@Nullable Long>> maps = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      boolean touched = random.nextInt(4) != 0;
      long extent = shape.extent(axis);
      pads[axis] = touched ? random.nextInt(reach + 1) - Math.min(2, (extent - 1) / 2) : 0;
      pads[axis + rank] = touched ? random.nextInt(reach + 1) - Math.min(2, (extent - 1) / 2) : 0;
      List<@Nullable Long> map = map(mode, extent, pads[axis], pads[axis + rank]);
      maps.add(map);
      extents[axis] = map.size();
    }
    TensorView given = TestTensors.int64s(pads);
    MovedElements.check("Pad", mode(mode), shape, Shape.of(extents), index -> {
      long[] source = new long[rank];
      for (int axis = 0; axis < rank; axis++) {
        Long at = maps.get(axis).get((int) index[axis]);
        if (at == null) {
          return null;
        }
        source[axis] = at;
      }
      return source;
    }, given);
  }

  /** The padded axis as a list, made by cutting it and putting one index at a time before and behind it. */
  private static List<@Nullable Long> map(String mode, long extent, long begin, long end) {
    List<@Nullable Long> kept = new ArrayList<>();
    for (long i = Math.max(0, -begin); i < extent - Math.max(0, -end); i++) {
      kept.add(i);
    }
    int n = kept.size();
    List<@Nullable Long> padded = new ArrayList<>(kept);
    for (int i = 1; i <= begin; i++) {
      padded.addFirst(outside(mode, kept, n, padded, i));
    }
    int before = padded.size() - n;
    for (int i = 0; i < end; i++) {
      padded.add(switch (mode) {
        case "edge" -> kept.getLast();
        case "wrap" -> padded.get(before + i);
        case "reflect" -> n == 1 ? kept.getFirst() : mirrored(kept, n + i);
        default -> null;
      });
    }
    return padded;
  }

  private static @Nullable Long outside(String mode, List<@Nullable Long> kept, int n, List<@Nullable Long> padded,
    int i) {
    return switch (mode) {
      case "edge" -> kept.getFirst();
      case "wrap" -> padded.get(n - 1);
      case "reflect" -> n == 1 ? kept.getFirst() : mirrored(kept, i);
      default -> null;
    };
  }

  /** Where a walker who turns round at either end stands after so many steps from the first index. */
  private static @Nullable Long mirrored(List<@Nullable Long> kept, int steps) {
    int at = 0;
    int direction = 1;
    for (int i = 0; i < steps; i++) {
      if (at + direction < 0 || at + direction >= kept.size()) {
        direction = -direction;
      }
      at += direction;
    }
    return kept.get(at);
  }
}
