package dev.cairn.runtime.report.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
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
  void aPageShowsEachChunkAndTheReport() throws IOException {
    Path file = folder.resolve("a.html");
    MemoryDumps.write(Snapshots.small(), file);
    String page = Files.readString(file);
    assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n").contains("out of memory: the allocator",
      "conv", "400 of 512 bytes at 0x10000000000, step 3", "free, held until a stream has passed: 256 B",
      "<title>free: 256 B at 0x10000000300");
    assertThat(page).doesNotContain("http", "<script");
    assertThat(page.split("<svg", -1)).as("the legend and two regions").hasSize(4);
  }

  /** However many chunks and whatever names: as many bytes are drawn as the regions have, and names are escaped. */
  @Test
  void aPageOfManyChunksStaysSmall() throws IOException {
    var map = new MemoryMapBuilder(MemorySpace.HOST);
    int owner = map.owner(new Owner("<b>&\"", "", ""));
    int chunks = 100_000;
    map.region(4096, chunks * 256L);
    for (int i = 0; i < chunks; i++) {
      map.inUse(4096 + i * 256L, 256, 100, i, owner, 0);
    }
    Path file = folder.resolve("a.html");
    MemoryDumps.write(MemorySnapshot.of(map.build(Long.MAX_VALUE)), file);
    String page = Files.readString(file);
    assertThat(page).hasSizeLessThan(300_000).contains("&lt;b&gt;").doesNotContain("<b>");
    double drawn = Pattern.compile("class=\"many\"[^>]* width=\"([0-9.]+)\"").matcher(page).results().mapToDouble(
      it -> Double.parseDouble(it.group(1))).sum();
    assertThat(drawn).isCloseTo(1000, within(1.0));
  }

  @Test
  void otherNamesAreRefusedBeforeAnythingIsWritten() throws IOException {
    for (String name : List.of("dump", "dump.svg", "txt", "a.json.gz")) {
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
