package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelsOptionsTest {
  @Test
  void withoutOptionsAllIsMeasuredWithTwoThreadsAndOne() {
    assertEquals(new ModelsOptions(false, false, List.of(2, 1), List.of(), 5, false, false), parse(""));
    assertEquals(List.of(1), ModelsOptions.parse(List.of(), 1).threads());
    assertEquals(new ModelsOptions(true, false, List.of(2), List.of(), 1, true, false), parse("--quick"));
  }

  @Test
  void whatIsGivenHoldsWhereverItStands() {
    assertEquals(new ModelsOptions(true, false, List.of(4, 1), List.of("mlp", "gpt2"), 3, true, false),
      parse("--threads 4,1 --models mlp,gpt2 --rounds 3 --quick"));
    assertTrue(parse("--write --parts").write() && parse("--parts").parts());
    assertTrue(parse("--classes").classes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--slow", "mlp", "--threads", "--threads 0", "--threads two", "--threads 2,2", "--threads ,",
    "--rounds 0", "--rounds 1.5", "--write --quick", "--write --models mlp"})
  void wrongUseIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> parse(line));
  }

  @Test
  void aChildsArgumentsAreReadBack() {
    String line = "--engine ort --model a b.onnx --threads 2";
    assertThrows(IllegalArgumentException.class, () -> OneModel.main(line.split(" ")));
    assertThrows(IllegalArgumentException.class, () -> EngineChoice.of("tensorflow"));
  }

  private static ModelsOptions parse(String line) {
    return ModelsOptions.parse(line.isEmpty() ? List.of() : Arrays.asList(line.split(" ")), 8);
  }
}
