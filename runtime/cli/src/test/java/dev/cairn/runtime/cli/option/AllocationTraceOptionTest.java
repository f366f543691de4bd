package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AllocationTraceOptionTest {
  @TempDir
  private Path folder = Path.of("");

  @Test
  void theOldFileIsThereUntilTheNewOneIsWhole() throws IOException {
    Path file = Files.writeString(folder.resolve("trace.csv"), "old");
    var option = CommandLine.populateCommand(new AllocationTraceOption(), "--record-allocations", file.toString());
    try (AllocationTraceOption.Recording recording = option.begin()) {
      recording.listener().granted(1, 4096, 256, 200, Owner.NONE);
      recording.listener().freed(1, 4096, 256);
      assertThat(file).hasContent("old");
    }
    assertThat(Files.readAllLines(file)).hasSize(3);
    assertThat(folder.toFile().list()).containsExactly("trace.csv");
  }
}
