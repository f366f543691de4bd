package dev.cairn.runtime.report.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryDumpsTest {
  @TempDir
  private Path folder = Path.of("");

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theNameTellsTheFormat() throws IOException {
    for (String name : List.of("a.txt", "b.JSON", "c.pickle", "d.pkl")) {
      MemoryDumps.write(Snapshots.small(), folder.resolve(name));
    }
    assertThat(names()).containsExactly("a.txt", "b.JSON", "c.pickle", "d.pkl");
    assertThat(Files.readString(folder.resolve("a.txt"))).startsWith("out of memory: the allocator of device:1 ")
      .contains("memory dump of device:1 regions=2 chunks=4", "  0x10000000200 free bytes=256 freed-at=9");
    assertThat(Files.readString(folder.resolve("b.JSON"))).startsWith("{\"schemaVersion\":2,");
    assertThat(folder.resolve("c.pickle")).hasSameBinaryContentAs(folder.resolve("d.pkl"));
    assertThat(MemoryDumps.read(folder.resolve("b.JSON")).failure()).isPresent();
  }

  @Test
  void otherNamesAreRefusedBeforeAnythingIsWritten() throws IOException {
    for (String name : List.of("dump", "dump.html", "txt", "a.json.gz")) {
      assertThatIllegalArgumentException().isThrownBy(() -> MemoryDumps.write(Snapshots.small(), folder.resolve(name)))
        .withMessageContaining(name).withMessageContaining(".txt .json .pickle .pkl");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> DumpFormat.of(Path.of("/")));
    assertThat(names()).isEmpty();
  }

  @Test
  void anOldFileIsReplacedAndALinkStays() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.txt"), file);
    MemoryDumps.write(Snapshots.small(), link);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(file)).startsWith("out of memory");
    assertThat(names()).containsExactly("a.txt", "link.txt");
  }

  @Test
  void whatCannotBeWrittenLeavesNothingBehind() throws IOException {
    assertThatThrownBy(() -> MemoryDumps.write(Snapshots.small(), folder.resolve("none/a.json"))).isInstanceOf(
      NoSuchFileException.class).hasMessageContaining("none");
    Files.createDirectory(folder.resolve("folder.json"));
    assertThatIOException().isThrownBy(() -> MemoryDumps.write(Snapshots.small(), folder.resolve("folder.json")));
    assertThat(names()).containsExactly("folder.json");
  }

  @Test
  void whatIsReadAndIsNoDumpIsToldWithItsName() throws IOException {
    Path file = Files.writeString(folder.resolve("a.json"), "{\"schemaVersion\":1}");
    assertThatIOException().isThrownBy(() -> MemoryDumps.read(file)).withMessageContaining("kind is missing")
      .withMessageContaining("a.json");
    assertThatThrownBy(() -> MemoryDumps.read(folder.resolve("b.json"))).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aSnapshotsFailureIsOfItsMap() {
    MemorySnapshot small = Snapshots.small();
    assertThatIllegalArgumentException().isThrownBy(() -> new MemorySnapshot(Snapshots.small().map(), small.failure()));
  }
}
