package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {
  @Test
  void asPeopleWriteIt() {
    assertThat(TimeSpan.parse("2s").duration()).isEqualTo(Duration.ofSeconds(2));
    assertThat(TimeSpan.parse(" 500 MS").duration()).isEqualTo(Duration.ofMillis(500));
    assertThat(TimeSpan.parse("1.5m").duration()).isEqualTo(Duration.ofSeconds(90));
    assertThat(TimeSpan.parse("10").duration()).isEqualTo(Duration.ofSeconds(10));
    assertThat(TimeSpan.parse("0").duration()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1s", "1h", "1,5s", "NaN", "99999999999999s", "1s 2s"})
  void otherWordsAreRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> TimeSpan.parse(text)).withMessageContaining("example=2s");
  }

  @Test
  void whatNoClockCountsIsRefused() {
    for (String text : new String[] {"200000000m", "999999999m"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> TimeSpan.parse(text))
        .withMessageContaining("given=" + text);
    }
    assertThat(TimeSpan.parse("100000000m").duration()).isEqualTo(Duration.ofMinutes(100_000_000));
  }
}
