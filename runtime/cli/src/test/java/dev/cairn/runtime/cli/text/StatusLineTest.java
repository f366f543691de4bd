package dev.cairn.runtime.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

  @BeforeEach
  void install() {
    System.setErr(StatusLine.of(terminal));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  private String written() {
    return terminal.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aMessageErasesTheLineFirstAndOnce() {
    StatusLine.show("timing ... 1 s");
    System.err.print("a warning; ");
    System.err.print("another");
    assertThat(written()).isEqualTo("\r\u001b[?7ltiming ... 1 s\u001b[K\u001b[?7h\r\u001b[Ka warning; another");
  }

  @Test
  void nothingIsErasedWhereNothingIsShown() {
    System.err.print("half a line");
    StatusLine.erase();
    assertThat(written()).isEqualTo("half a line");
    StatusLine.show("x");
    StatusLine.erase();
    StatusLine.erase();
    assertThat(written()).endsWith("\u001b[?7h\r\u001b[K").containsOnlyOnce("\r\u001b[K");
  }
}
