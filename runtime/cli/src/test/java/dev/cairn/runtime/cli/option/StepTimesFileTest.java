package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepTimesFileTest {
  @TempDir
  private Path folder = Path.of("");

  private static void assertRefused(Path file, String reason) {
    assertThatThrownBy(() -> new StepTimesFile.Converter().convert("measured:" + file)).hasMessageEndingWith("file="
      + file
      + " reason="
      + reason);
  }

  @Test
  void theReasonIsNamedWhereAFileIsNoProfile() throws IOException {
    assertRefused(folder.resolve("none.json"), "no such file");
    assertRefused(folder, "Is a directory");
    assertRefused(Files.writeString(folder.resolve("half.json"), "{\"traceEvents\":["), "not JSON");
    assertRefused(Files.writeString(folder.resolve("empty.json"), "{}"), "not a profile of Cairn");
  }
}
