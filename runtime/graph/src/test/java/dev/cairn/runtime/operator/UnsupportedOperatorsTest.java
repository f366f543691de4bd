package dev.cairn.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnsupportedOperatorsTest {
  @Test
  void fewGapsAreAllInTheMessage() {
    var error = new UnsupportedOperators(List.of(new Gap("a", "Foo", "no such operator"), new Gap("b", "Conv",
      "no kernel")));
    assertThat(error).hasMessage("2 unsupported: a (Foo): no such operator; b (Conv): no kernel");
  }

  @Test
  void manyGapsAreCountedByKindTheMostFrequentFirst() {
    List<Gap> gaps = new ArrayList<>();
    for (int i = 0; i < 48; i++) {
      gaps.add(new Gap("layer." + i, i < 18 ? "DynamicQuantizeLinear" : "MatMulInteger", "no such operator"));
    }
    var error = new UnsupportedOperators(gaps);
    assertThat(error).hasMessage("""
      48 unsupported:
          30  MatMulInteger (no such operator), first at layer.18
          18  DynamicQuantizeLinear (no such operator), first at layer.0""");
    assertThat(error.kinds()).extracting(it -> it.nodes().size()).containsExactly(30, 18);
    assertThat(error.gaps()).hasSize(48);
  }

  @Test
  void theMessageFitsAScreenWhateverTheModel() {
    List<Gap> gaps = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      gaps.add(new Gap("n".repeat(1000) + i, "Op\n".repeat(50) + i % 70, "no kernel for [" + "int8".repeat(100) + "]"));
    }
    assertThat(String.valueOf(new UnsupportedOperators(gaps).getMessage()).lines()).hasSize(16)
      .allSatisfy(it -> assertThat(it)
        .hasSizeLessThanOrEqualTo(120))
      .last().asString().isEqualTo(" 15996  of 56 other kinds");
  }
}
