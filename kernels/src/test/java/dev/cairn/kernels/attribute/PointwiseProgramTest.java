package dev.cairn.kernels.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.PointwiseCase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointwiseProgramTest {
  private static PointwiseProgram read(String text) {
    return PointwiseProgram.of(Attributes.NONE.with("program", new AttributeValue.Text(text)));
  }

  @Test
  void aProgramIsReadFromWhatItIsWrittenAs() {
    for (int seed = 0; seed < 200; seed++) {
      PointwiseProgram program = PointwiseCase.of(seed, false).program();
      assertThat(PointwiseProgram.of(program.attributes())).isEqualTo(program);
    }
  }

  @Test
  void eachStepHasItsOwnAttributes() {
    Attributes both = Attributes.NONE.with("program", new AttributeValue.Text(
      "%0 = LeakyRelu(x0) float32; %1 = LeakyRelu(%0) float32; return %1")).with("0.alpha", new AttributeValue.Real(2))
      .with("1.alpha", new AttributeValue.Real(3)).with("nodes", new AttributeValue.Texts(List.of("a", "b")));
    PointwiseProgram program = PointwiseProgram.of(both);
    assertThat(program.steps()).extracting(step -> step.attributes().getFloat("alpha", 0)).containsExactly(2f, 3f);
    assertThat(program.attributes()).isEqualTo(both.without("nodes"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "return ", "return x0", "return %0", "%0 = Neg(%0) float32; return %0",
    "%0 = Neg(%1) float32; %1 = Neg(x0) float32; return %1", "%1 = Neg(x0) float32; return %1",
    "%0 = Neg(x0) float31; return %0", "%0 = Neg(y) float32; return %0", "%0 = Neg(x0) float32; return %0, %0",
    "%0 = Neg(x0) float32", "%0 = Neg(x99999999999) float32; return %0"})
  void refusesWhatIsNoProgram(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aChainLivesInItsOutputAndWhatIsReadAgainKeepsTheOutputFree() {
    var chain = new PointwiseSlots(read("%0 = Add(x0, x1) float32; %1 = Neg(%0) float32; return %1"));
    assertThat(chain.scratchCount()).isZero();
    assertThat(chain.inPlace()).containsExactly(0L, 0L, 1L, 0L);
    var again = new PointwiseSlots(read("%0 = Sigmoid(x0) float32; %1 = Mul(x0, %0) float32; return %1"));
    assertThat(again.scratchCount()).isEqualTo(1);
    assertThat(again.inPlace()).containsExactly(0L, 0L);
    var wider = new PointwiseSlots(read("%0 = Cast(x0) float64; %1 = Cast(%0) float32; return %1"));
    assertThat(wider.scratchCount()).as("a wide value doesn't fit into a narrow output").isEqualTo(1);
    var later = new PointwiseSlots(read("%0 = Neg(x0) float32; %1 = Add(%0, x1) float32; return %1"));
    assertThat(later.inPlace()).as("x1 is read after the output was written to").containsExactly(0L, 0L);
  }

  @Test
  void anOutputStaysFreeForTheInputThatItUpdates() {
    PointwiseProgram sgd = read("%0 = Mul(x0, x1) float32; %1 = Sub(x2, %0) float32; return %1");
    assertThat(new PointwiseSlots(sgd).inPlace()).containsExactly(0L, 0L, 1L, 0L);
    var updating = PointwiseSlots.of(sgd.attributes().with(PointwiseSlots.UPDATES, new AttributeValue.Ints(List.of(2L,
      0L))));
    assertThat(updating.inPlace()).containsExactly(0L, 0L, 1L, 0L, 2L, 0L);
    assertThat(updating.scratchCount()).isEqualTo(1);
  }
}
