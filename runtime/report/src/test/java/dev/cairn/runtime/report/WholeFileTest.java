package dev.cairn.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void aFileThatIsReplacedKeepsItsPermissions() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    WholeFile.write(file, "new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
  }

  @Test
  void aNewFileHasThePermissionsOfAnyNewFile() throws IOException {
    Path other = Files.createFile(folder.resolve("other"));
    WholeFile.write(folder.resolve("f"), "new");
    assertThat(Files.getPosixFilePermissions(folder.resolve("f"))).isEqualTo(Files.getPosixFilePermissions(other));
  }

  @Test
  void theLongestNameWillDo() throws IOException {
    Path file = folder.resolve("n".repeat(255));
    WholeFile.write(file, "new");
    assertThat(file).hasContent("new");
  }
}
