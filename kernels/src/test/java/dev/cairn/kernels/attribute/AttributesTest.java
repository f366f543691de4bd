package dev.cairn.kernels.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue.Int;
import dev.cairn.kernels.attribute.AttributeValue.Ints;
import dev.cairn.kernels.attribute.AttributeValue.Real;
import dev.cairn.kernels.attribute.AttributeValue.Reals;
import dev.cairn.kernels.attribute.AttributeValue.Tensor;
import dev.cairn.kernels.attribute.AttributeValue.Text;
import dev.cairn.kernels.attribute.AttributeValue.Texts;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AttributesTest {
  private static final Attributes SAMPLE = Attributes.NONE.with("strides", Ints.of(2, 1)).with("axis", -1)
    .with("mode", new Text("edge")).with("epsilon", new Real(0.5f));

  @Test
  void gettersReadWhatIsThere() {
    assertThat(SAMPLE.getLong("axis", 7)).isEqualTo(-1);
    assertThat(SAMPLE.getInt("axis", 7)).isEqualTo(-1);
    assertThat(SAMPLE.getFlag("axis", false)).isTrue();
    assertThat(SAMPLE.getText("mode", "constant")).isEqualTo("edge");
    assertThat(SAMPLE.getFloat("epsilon", 1)).isEqualTo(0.5f);
    assertThat(SAMPLE.getFloat("axis", 1)).isEqualTo(-1);
    assertThat(SAMPLE.getLongs("strides")).containsExactly(2, 1);
    assertThat(SAMPLE.find("mode")).contains(new Text("edge"));
    assertThat(SAMPLE.has("axis")).isTrue();
  }

  @Test
  void gettersFallBackToTheDefault() {
    assertThat(SAMPLE.getLong("absent", 7)).isEqualTo(7);
    assertThat(SAMPLE.getFlag("absent", true)).isTrue();
    assertThat(SAMPLE.getFlag("absent", false)).isFalse();
    assertThat(SAMPLE.getText("absent", "x")).isEqualTo("x");
    assertThat(SAMPLE.getFloat("absent", 1.5f)).isEqualTo(1.5f);
    assertThat(SAMPLE.getLongs("absent", 1, 1)).containsExactly(1, 1);
    assertThat(SAMPLE.getLongs("absent")).isEmpty();
    assertThat(SAMPLE.find("absent")).isEmpty();
    assertThat(SAMPLE.has("absent")).isFalse();
  }

  @Test
  void anotherKindIsRefused() {
    assertThatThrownBy(() -> SAMPLE.getLong("mode", 0)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("name=mode wanted=a whole number given=\"edge\"");
    assertThatThrownBy(() -> SAMPLE.getText("axis", "")).hasMessageContaining("given=-1");
    assertThatThrownBy(() -> SAMPLE.getFloat("mode", 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SAMPLE.getLongs("axis")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Attributes.NONE.with("axis", 1L << 40).getInt("axis", 0))
      .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void orderIsByNameWhateverTheOrderOfMaking() {
    assertThat(SAMPLE).hasToString("{axis=-1, epsilon=0.5, mode=\"edge\", strides=[2,1]}");
    Attributes other = Attributes.NONE.with("epsilon", new Real(0.5f)).with("mode", new Text("edge")).with("axis", -1)
      .with("strides", Ints.of(2, 1));
    assertThat(other).isEqualTo(SAMPLE).hasSameHashCodeAs(SAMPLE);
    assertThat(other.asMap().keySet()).containsExactly("axis", "epsilon", "mode", "strides");
    assertThat(Attributes.NONE).hasToString("");
  }

  @Test
  void nobodyChangesAttributesFromOutside() {
    Map<String, AttributeValue> values = new HashMap<>(Map.of("axis", new Int(1)));
    Attributes attributes = Attributes.of(values);
    values.put("axis", new Int(2));
    assertThat(attributes.getLong("axis", 0)).isEqualTo(1);
    Map<String, AttributeValue> seen = attributes.asMap();
    assertThatThrownBy(() -> seen.put("more", new Int(3))).isInstanceOf(UnsupportedOperationException.class);
    List<Long> list = new ArrayList<>(List.of(1L));
    var ints = new Ints(list);
    list.add(2L);
    assertThat(ints.values()).containsExactly(1L);
  }

  @Test
  void withAndWithoutMakeCopies() {
    assertThat(SAMPLE.with("axis", 3).getLong("axis", 0)).isEqualTo(3);
    assertThat(SAMPLE.getLong("axis", 0)).isEqualTo(-1);
    assertThat(SAMPLE.without("axis").has("axis")).isFalse();
    assertThat(Attributes.NONE.with("a", 1).without("a")).isSameAs(Attributes.NONE);
    assertThat(SAMPLE.without("absent")).isEqualTo(SAMPLE);
    assertThat(Attributes.of(Map.of())).isSameAs(Attributes.NONE);
  }

  @Test
  void valuesCompareByContent() {
    assertThat(new Reals(List.of(1f))).isEqualTo(new Reals(List.of(1f)));
    assertThat(new Texts(List.of("a"))).isNotEqualTo(new Texts(List.of("b")));
    var one = new Tensor(TensorView.ofFloats(Shape.of(2), 1, 2));
    var same = new Tensor(TensorView.ofFloats(Shape.of(2), 1, 2));
    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).hasToString("float32[2]");
    assertThat(one).isNotEqualTo(new Tensor(TensorView.ofFloats(Shape.of(2), 1, 3)));
    assertThat(one).isNotEqualTo(new Tensor(TensorView.ofFloats(Shape.of(1, 2), 1, 2)));
  }
}
