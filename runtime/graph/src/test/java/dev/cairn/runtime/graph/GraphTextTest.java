package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphTextTest {
  @Test
  void everyFormOfNode() {
    var fixture = new GraphFixture();
    NodeEntry x = fixture.input("x", "float32[batchx3]");
    fixture.input("scale", "int64[scalar]");
    NodeEntry w = fixture.constant("w", TensorView.ofFloats(Shape.of(3, 4), new float[12]));
    NodeEntry y = fixture.apply("y", "MatMul", x, w);
    NodeEntry clipped = fixture.apply("clipped", "Clip", y, Node.absent(), fixture.longs("limit", 6));
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split{axis=-1, num_outputs=2}", 2, clipped);
    NodeEntry z = fixture.apply("z", "Pad{mode=\"edge\", pads=[0,1]}", parts.get(1));
    assertThat(fixture.graph(z, parts.get(0)).toString()).isEqualTo("""
      x = input float32[batch x 3]
      scale = input int64[scalar]
      w = constant float32[3x4]
      y = MatMul(x, w)
      limit = constant int64[1]
      clipped = Clip(y, _, limit)
      parts = Split{axis=-1, num_outputs=2}(clipped) -> 2
      z = Pad{mode="edge", pads=[0,1]}(parts:1)
      return z=z, parts=parts
      """);
    assertThat(z.node().toString()).isEqualTo("z = Pad{mode=\"edge\", pads=[0,1]}(parts:1)");
  }

  @Test
  void variablesAndAssigns() {
    var fixture = new GraphFixture();
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    fixture.assign("a", w, fixture.apply("y", "Neg", w));
    assertThat(fixture.graph().toString()).isEqualTo("""
      w = variable float32[2]
      y = Neg(w)
      a = assign(w, y)
      return\s
      """);
  }

  @Test
  void attributesReadFromTextPrintTheSame() {
    String text = "{alpha=0.5, axis=1, mode=\"edge\", perm=[0,2,1], value=int64[1]}";
    Attributes attributes = Notation.attributes("{axis=1, perm=[0,2,1], mode=\"edge\", alpha=0.5, value=int64:[3]}");
    assertThat(attributes.toString()).isEqualTo(text);
    assertThat(Notation.attributes("").toString()).isEmpty();
  }

  @Test
  void declaredTypesAdmitWhatTheirFixedExtentsAllow() {
    DeclaredType declared = Notation.declaredType("float32[batchx3]");
    assertThat(declared.toString()).isEqualTo("float32[batch x 3]");
    assertThat(declared.known()).isEmpty();
    assertThat(declared.admits(Shape.of(0, 3))).isTrue();
    assertThat(declared.admits(Shape.of(3, 0))).isFalse();
    assertThat(declared.admits(Shape.of(3))).isFalse();
    TensorType fixed = Notation.type("int64[2x3]");
    assertThat(DeclaredType.of(fixed).known()).hasValue(fixed);
    assertThat(Notation.declaredType("bool[scalar]").known()).hasValue(Notation.type("bool[scalar]"));
    assertThatThrownBy(() -> new Dimension.Fixed(-1)).isInstanceOf(IllegalArgumentException.class)
      .hasMessage("negative extent: extent=-1");
  }
}
