package dev.cairn.runtime.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FigureTextTest {
  @Test
  void shortTimesAreInMicrosecondsAndLongOnesInMilliseconds() {
    assertThat(FigureText.time(0)).isEqualTo("0.0 us");
    assertThat(FigureText.time(1_250)).isEqualTo("1.3 us");
    assertThat(FigureText.time(999_949)).isEqualTo("999.9 us");
    assertThat(FigureText.time(1_000_000)).isEqualTo("1.00 ms");
    assertThat(FigureText.time(12_345_678_900L)).isEqualTo("12345.68 ms");
    assertThat(FigureText.millis(1_250)).isEqualTo("0.00 ms");
  }

  @Test
  void wholeNumbersHaveNoDecimals() {
    assertThat(FigureText.number(50)).isEqualTo("50");
    assertThat(FigureText.number(99.9)).isEqualTo("99.9");
    assertThat(FigureText.number(0)).isEqualTo("0");
  }
}
