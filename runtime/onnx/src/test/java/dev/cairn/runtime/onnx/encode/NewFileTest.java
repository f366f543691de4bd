package dev.cairn.runtime.onnx.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {
  private static final NewFile.Content NEW = out -> out.write("new".getBytes(StandardCharsets.UTF_8));

  @TempDir
  private Path folder = Path.of("");

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void replacesAFileAndLeavesItsNeighboursAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("m.onnx"), "old");
    Path neighbour = Files.writeString(folder.resolve("m.onnx.part"), "precious");
    NewFile.write(file, NEW);
    assertThat(file).hasContent("new");
    assertThat(neighbour).hasContent("precious");
    assertThat(names()).containsExactly("m.onnx", "m.onnx.part");
  }

  @Test
  void aFailureLeavesTheOldFileAndNothingElse() throws IOException {
    Path file = Files.writeString(folder.resolve("m.onnx"), "old");
    assertThatThrownBy(() -> NewFile.write(file, out -> {
      out.write(1);
      throw new IOException("planted");
    })).hasMessage("planted");
    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("m.onnx");
  }

  @Test
  void writesThroughALink() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    NewFile.write(link, NEW);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(target).hasContent("new");
  }

  /** A pipe of the test's own stands for devices: a machine's real one is not put at risk. */
  @Test
  void writesIntoAPipeAndDoesNotReplaceIt() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "skipped: no mkfifo");
    Process reader = new ProcessBuilder("cat", pipe.toString()).start();
    NewFile.write(pipe, NEW);
    assertThat(new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("new");
    assertThat(Files.isRegularFile(pipe)).isFalse();
    assertThat(names()).containsExactly("pipe");
  }
}
