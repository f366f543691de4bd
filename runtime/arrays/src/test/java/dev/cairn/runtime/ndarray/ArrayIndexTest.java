package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.expression.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** what indexes select, against a naive reference, for reading and writing. */
class ArrayIndexTest extends ArrayContract {
  private static final String[] RANGES = {":", "1:", ":-1", "::2", "::-1", "5:0:-2", "-1:9", "2:1", "-9:2", "::7"};

  /** Positions by Python's rule, written out. */
  private static List<Integer> positions(String range, int extent) {
    Index.Range given = (Index.Range) Index.parse(range)[0];
    List<Integer> all = new ArrayList<>();
    long step = given.step();
    Long from = given.from();
    Long to = given.to();
    long at = from == null ? (step > 0 ? 0 : extent - 1) : from < 0 ? from + extent : from;
    long end = to == null ? (step > 0 ? extent : -1) : to < 0 ? Math.max(to + extent, step > 0 ? 0 : -1) : to;
    at = step > 0 ? Math.max(at, 0) : Math.min(at, extent - 1);
    for (; step > 0 ? at < Math.min(end, extent) : at > end; at += step) {
      if (at >= 0) {
        all.add((int) at);
      }
    }
    return all;
  }

  @Test
  void rangesOnFourAxesSelectWhatTheReferenceDoes() {
    NDArray x = counting(3, 4, 2, 5);
    for (String a : RANGES) {
      for (String b : RANGES) {
        for (String d : RANGES) {
          String text = a + ", " + b + ", 1, " + d;
          List<Float> expected = new ArrayList<>();
          for (int i : positions(a, 3)) {
            for (int j : positions(b, 4)) {
              positions(d, 5).forEach(l -> expected.add((float) (((i * 4 + j) * 2 + 1) * 5 + l)));
            }
          }
          try (NDArray got = x.get(text)) {
            float[] values = got.toFloatArray();
            assertThat(values).as(text).hasSize(expected.size());
            for (int k = 0; k < values.length; k++) {
              assertThat(values[k]).as(text).isEqualTo(expected.get(k));
            }
          }
        }
      }
    }
  }

  @Test
  void whatIsSetIsWhatIsGotAndNothingElse() {
    for (String a : RANGES) {
      for (String b : RANGES) {
        String text = a + ", " + b;
        NDArray x = counting(4, 5);
        x.set(-1, Index.parse(text));
        float[] values = x.toFloatArray();
        for (int i = 0; i < 4; i++) {
          for (int j = 0; j < 5; j++) {
            boolean isSet = positions(a, 4).contains(i) && positions(b, 5).contains(j);
            assertThat(values[i * 5 + j]).as(text).isEqualTo(isSet ? -1 : i * 5 + j);
          }
        }
        NDArray taken = x.get(text);
        NDArray y = counting(4, 5);
        y.set(taken, Index.parse(text));
        assertThat(y.toFloatArray()).as(text).isEqualTo(values);
      }
    }
  }

  @Test
  void positionsEllipsesAndNewAxes() {
    NDArray x = counting(2, 3, 4);
    assertThat(x.get("1").shape()).isEqualTo(Shape.of(3, 4));
    assertThat(x.get("..., -1").toFloatArray()).containsExactly(3, 7, 11, 15, 19, 23);
    assertThat(x.get("0, ..., newaxis, 1:3").shape()).isEqualTo(Shape.of(3, 1, 2));
    assertThat(x.get("newaxis").shape()).isEqualTo(Shape.of(1, 2, 3, 4));
    assertThat(x.get("1, 2, 3").item()).isEqualTo(23);
    assertThat(x.get().toFloatArray()).hasSize(24);
    assertThat(x.get("1, 2, 3").get("newaxis, ...").shape()).isEqualTo(Shape.of(1));
    x.set(floats(10, 20, 30, 40), Index.parse("1, ::2"));
    assertThat(x.get("1, 2").toFloatArray()).containsExactly(10, 20, 30, 40);
    x.set(floats(5, 6, 7), Index.parse("..., 0"));
    assertThat(x.get("1, :, 0").toFloatArray()).containsExactly(5, 6, 7);
  }

  @Test
  void getIsAlwaysANewArray() {
    NDArray x = counting(3);
    for (String text : List.of(":", "0:2", "0", "...")) {
      NDArray got = x.get(text);
      assertThat(got.sharesStorageWith(x)).as(text).isFalse();
    }
    assertThat(floats(1).get("0").get().sharesStorageWith(x)).isFalse();
  }

  @Test
  void whatDoesNotFitIsRefusedAndNamesTheIndex() {
    NDArray x = counting(2, 3);
    assertThatThrownBy(() -> x.get("2")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("axis=0")
      .hasMessageContaining("position=2");
    assertThatThrownBy(() -> x.get("0, -4")).hasMessageContaining("axis=1");
    assertThatThrownBy(() -> x.get("0, 0, 0")).hasMessageContaining("axes=2");
    assertThatThrownBy(() -> x.get("..., ...")).hasMessageContaining("ellipses=2");
    assertThatThrownBy(() -> x.get("::0")).hasMessageContaining("step");
    for (String text : List.of("a", "1:2:3:4", "1,,2", "1.5", "9999999999999999999")) {
      assertThatThrownBy(() -> Index.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an index");
    }
    assertThatThrownBy(() -> x.set(floats(1, 2), Index.at(0))).hasMessageContaining("broadcast");
    assertThatThrownBy(() -> x.set(arrays.of(new int[] {1}, 1))).hasMessageContaining("astype");
    assertThat(x.toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void contiguityIsThatOfTheBytes() {
    Shape shape = Shape.of(3, 4, 5);
    for (String text : List.of("", "0", "1:3", "0, 1:2", "0, 0, 1:3", "::2, 1:1", "2, newaxis", "1:2, 2:3, ::-1")) {
      boolean expected = !text.equals("1:2, 2:3, ::-1");
      assertThat(Selection.of(shape, Index.parse(text)).isContiguous()).as(text).isEqualTo(expected);
    }
    for (String text : List.of("::2", ":, 0", "..., 0", "::-1", ":, 1:3")) {
      assertThat(Selection.of(shape, Index.parse(text)).isContiguous()).as(text).isFalse();
    }
    assertThat(Arrays.asList(Index.parse(" 1 , ... "))).containsExactly(Index.at(1), Index.ellipsis());
  }
}
