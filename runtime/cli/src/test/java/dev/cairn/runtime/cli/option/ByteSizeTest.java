package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "1048576, 1048576", "12B, 12", "1k, 1024", "1KiB, 1024", "1kb, 1000", "2GiB, 2147483648",
    "512MB, 512000000", "1.5g, 1610612736", "' 3 MiB ', 3145728", "0.5KiB, 512", "1.2345k, 1264", "2TiB, 2199023255552",
    "9223372036854775807, 9223372036854775807", "3Mi, 3145728"})
  void readsWhatPeopleWrite(String text, long bytes) {
    assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lots", "-1", "1.5.2", "1PiB", "GiB", "1 2", ".5k", "1e9", "0x10", "1,5g"})
  void refusesTheRestAndSaysWhatItWas(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("given="
        + text)
      .hasMessageContaining("2GiB");
  }

  @Test
  void refusesWhatNoLongHolds() {
    assertThatThrownBy(() -> ByteSize.parse("9223372036854775808")).hasMessageContaining("too many");
    assertThatThrownBy(() -> ByteSize.parse("8388608TiB")).hasMessageContaining("too many");
    assertThat(ByteSize.parse("8388607TiB").bytes()).isEqualTo(8388607L << 40);
  }
}
