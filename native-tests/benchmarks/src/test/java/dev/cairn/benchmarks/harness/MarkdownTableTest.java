package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MarkdownTableTest {
  @Test
  void wordsAreLeftAndFiguresRight() {
    assertEquals("""
      | model | ms | ratio |
      | --- | ---: | ---: |
      | mlp | 0.1 | 1.00 |
      | vgg19 | 92.0 |  |""",
      new MarkdownTable("model", "ms", "ratio").row("mlp", "0.1", "1.00").row("vgg19", "92.0", "")
        .toString());
  }

  @Test
  void aRowThatWouldBreakTheTableIsRefused() {
    var table = new MarkdownTable("a", "b");
    assertThrows(IllegalArgumentException.class, () -> table.row("1"));
    assertThrows(IllegalArgumentException.class, () -> table.row("1", "2", "3"));
    assertThrows(IllegalArgumentException.class, () -> table.row("1", "x|y"));
    assertThrows(IllegalArgumentException.class, () -> table.row("1", "x\ny"));
  }
}
