package dev.cairn.runtime.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void alignsWordsToTheLeftAndNumbersToTheRight() {
    String text = new Table("operator", "uses", "types").row("Conv", 9, "float32").row("Gelu", -123, "")
      .row("a/long/name", "",
        "int8")
      .text("| ");
    assertThat(text.lines()).containsExactly(
      "| operator     uses  types", "| Conv            9  float32", "| Gelu         -123", "| a/long/name        int8");
  }

  @Test
  void theFirstColumnIsNeverRightAligned() {
    assertThat(new Table("id", "n").row(7, 8).row(10, 11).text("").lines()).containsExactly("id   n", "7    8",
      "10  11");
  }

  @Test
  void wideCharactersKeepTheColumns() {
    assertThat(new Table("a", "b").row("\u6a21\u578b", "x").row("mlp", "y").text("").lines()).containsExactly(
      "a     b", "\u6a21\u578b  x", "mlp   y");
  }

  @Test
  void withoutRowsThereIsTheHeader() {
    assertThat(new Table("a", "b").text("").lines()).containsExactly("a  b");
  }

  @Test
  void refusesRowsOfAnotherLength() {
    assertThatThrownBy(() -> new Table("a", "b").row(1)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining(
        "cells=1 columns=2");
  }

  @Test
  void aDocumentKeepsItsOrderAndIsValidForOddNumbersAndTexts() {
    Map<String, Object> document = Json.document("x");
    document.put("z", Double.NaN);
    document.put("a", "quote \" and \n line");
    assertThat(Json.text(document).lines().map(String::strip)).containsExactly("{", "\"schemaVersion\" : 1,",
      "\"command\" : \"x\",", "\"z\" : \"NaN\",", "\"a\" : \"quote \\\" and \\n line\"", "}");
  }
}
