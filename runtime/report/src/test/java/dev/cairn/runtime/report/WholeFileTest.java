package dev.cairn.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeFileTest {
  private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

  @TempDir
  private Path folder = Path.of("");

  @Test
  void theOldFileIsThereUntilTheNewOneIsCommitted() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "old");
    try (WholeFile writing = WholeFile.begin(file)) {
      writing.stream().write(NEW);
      assertThat(file).hasContent("old");
      writing.commit();
      assertThat(file).hasContent("new");
    }
    assertThat(folder.toFile().list()).containsExactly("f");
  }

  @Test
  void aFailureLeavesTheOldFileAndNothingElse() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "old");
    assertThatThrownBy(() -> WholeFile.write(file, out -> {
      out.write(new byte[1 << 20]);
      throw new IOException("No space left on device");
    })).hasMessage("No space left on device");
    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactly("f");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsNamedByItsFile() {
    assertThatThrownBy(() -> WholeFile.write(Path.of("/dev/full"), "new")).isInstanceOf(FileSystemException.class)
      .hasMessage("/dev/full: No space left on device");
    assertThatThrownBy(() -> WholeFile.write(Path.of("/dev/full"), out -> out.write(new byte[1 << 20]))).hasMessage(
      "/dev/full: No space left on device");
  }

  @Test
  void aFileThatIsReplacedKeepsItsPermissions() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    WholeFile.write(file, "new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
  }

  @Test
  void bytesAreAsPrivateWhileTheyAreWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (WholeFile writing = WholeFile.begin(file)) {
      writing.stream().write(NEW);
      try (Stream<Path> files = Files.list(folder)) {
        for (Path each : files.toList()) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each))).isEqualTo("rw-------");
        }
      }
    }
  }

  @Test
  void aLinkToAFileThatIsNotThereYetStaysALink() throws IOException {
    Path inner = Files.createSymbolicLink(folder.resolve("inner"), Path.of("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), inner);
    WholeFile.write(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(inner).isSymbolicLink();
    assertThat(folder.resolve("target")).hasContent("new").isRegularFile();
  }

  @Test
  void linksInACircleAreNoFile() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
    assertThatThrownBy(() -> WholeFile.write(link, "new")).isInstanceOf(FileSystemLoopException.class);
  }

  @Test
  void aNewFileHasThePermissionsOfAnyNewFile() throws IOException {
    Path other = Files.createFile(folder.resolve("other"));
    WholeFile.write(folder.resolve("f"), "new");
    assertThat(Files.getPosixFilePermissions(folder.resolve("f"))).isEqualTo(Files.getPosixFilePermissions(other));
  }

  /** Replaces a file, and stays at one of the steps on the way; says when it is there. */
  static final class Stopping {
    private Stopping() {}

    /** The file, then the step. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
      WholeFile writing = WholeFile.begin(Path.of(arguments[0]));
      writing.stream().write(NEW, 0, 1);
      writing.stream().flush();
      stayAt("half", arguments[1]);
      writing.stream().write(NEW, 1, NEW.length - 1);
      writing.stream().close();
      stayAt("complete", arguments[1]);
      writing.commit();
      stayAt("committed", arguments[1]);
    }

    private static void stayAt(String here, String wanted) throws InterruptedException {
      if (here.equals(wanted)) {
        System.out.println("there");
        new CountDownLatch(1).await();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"half, old, 1", "complete, old, 1", "committed, new, 0"})
  @EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: needs SIGKILL")
  void aKilledProcessLeavesTheOldFileOrTheNewOne(String step, String content, int parts) throws Exception {
    Path file = Files.writeString(folder.resolve("f"), "old");
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Stopping.class.getName(), file
        .toString(),
      step).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      // Logging may write before.
      assertThat(said.lines().anyMatch("there"::equals)).isTrue();
      process.destroyForcibly();
      assertThat(process.waitFor()).isEqualTo(128 + 9);
    }
    assertThat(file).hasContent(content);
    assertThat(folder.toFile().list()).hasSize(1 + parts);
    WholeFile.write(file, "newer");
    assertThat(file).hasContent("newer");
  }

  @Test
  void theLongestNameWillDo() throws IOException {
    Path file = folder.resolve("n".repeat(255));
    WholeFile.write(file, "new");
    assertThat(file).hasContent("new");
  }
}
