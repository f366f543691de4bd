package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.runtime.report.dump.MemoryDumps;
import dev.cairn.runtime.report.dump.MemorySnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is said and written when memory runs out, and how a dump is looked at afterwards. */
class MemoryDumpTest {
  @TempDir
  private Path folder = Path.of("");

  private Outcome outOfMemory(Object... more) {
    Object[] words = new Object[4 + more.length];
    System.arraycopy(new Object[] {"run", "mlp", "--memory-limit", "1MiB"}, 0, words, 0, 4);
    System.arraycopy(more, 0, words, 4, more.length);
    return Outcome.of(words).failedWith(ExitCode.OUT_OF_MEMORY, "limitBytes=1048576");
  }

  @Test
  void theReportFollowsTheThreeLines() {
    List<String> lines = outOfMemory().err().lines().toList();
    assertThat(lines.get(3)).isEmpty();
    assertThat(lines.get(4)).startsWith("out of memory: the allocator of ").contains(".0 MiB for weights/fc1/weigh");
    assertThat(String.join("\n", lines)).contains("why: limit: ", "no release would be enough", "what would help",
      "- raise the limit by ").doesNotContain("every chunk is in");
  }

  @Test
  void quietSaysThreeLinesOnlyButWritesTheDump() {
    Path dump = folder.resolve("a.json");
    assertThat(outOfMemory("--quiet", "--memory-dump", dump).err().lines()).hasSize(3);
    assertThat(dump).exists();
  }

  @Test
  void theDumpIsWrittenNamedAndShown() throws IOException {
    Path dump = folder.resolve("a.json");
    String report = outOfMemory("--memory-dump", dump).err();
    assertThat(report).contains("every chunk is in ");
    String screen = report.substring(report.indexOf("\n\n") + 2, report.indexOf("\n\nevery chunk"));
    assertThat(Outcome.ok("mem", "show", dump).strip()).isEqualTo(screen);
    JsonNode document = Outcome.parse(Outcome.ok("mem", "show", dump, "--format", "json"));
    assertThat(document.get("command").asString()).isEqualTo("mem show");
    assertThat(document.get("reason").asString()).isEqualTo("limit");
    assertThat(document.get("bins").size()).isEqualTo(21);
    for (String name : List.of("b.txt", "b.pickle", "b.json", "b.html")) {
      assertThat(Outcome.ok("mem", "show", dump, "--to", folder.resolve(name))).contains(name + ": ", " chunks, ");
      assertThat(folder.resolve(name)).isNotEmptyFile();
    }
    assertThat(folder.resolve("b.json")).hasSameBinaryContentAs(dump);
    assertThat(Files.readString(folder.resolve("b.txt"))).startsWith(screen);
  }

  @Test
  void aDumpWithoutAFailureIsShownToo() throws IOException {
    Path dump = folder.resolve("a.json");
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.HOST).region(4096, 512).inUse(4096, 256, 200, 0, 0, 0)
      .free(4352, 256, 0);
    MemoryDumps.write(MemorySnapshot.of(map.build(512)), dump);
    assertThat(Outcome.ok("mem", "show", dump)).startsWith("memory of host").contains("held by 1 owner");
  }

  @Test
  void aDumpThatCannotBeWrittenHidesNothing() throws IOException {
    // A full disk is found out only when the file is written.
    Path full = Files.createSymbolicLink(folder.resolve("full.json"), Path.of("/dev/full"));
    String said = outOfMemory("--memory-dump", full).err();
    assertThat(said).contains("the memory dump could not be written: ", "No space left on device", "what would help")
      .doesNotContain("every chunk is in");
  }

  @Test
  void aDumpWithoutAFolderIsRefusedBeforeTheWork() {
    Outcome.of("run", "mlp", "--memory-limit", "1MiB", "--memory-dump", folder.resolve("none/a.json"))
      .failedWith(ExitCode.OTHER, "no such file", "none");
  }

  @Test
  void badWordsAreToldInThreeLines() throws IOException {
    Outcome.of("run", "mlp", "--memory-dump", "a.svg").failedWith(ExitCode.USAGE, "a.svg", ".txt .json .pickle");
    Outcome.of("mem").failedWith(ExitCode.USAGE, "a command is missing", "see 'cairn help mem'");
    Outcome.of("mem", "show").failedWith(ExitCode.USAGE, "DUMP.json", "see 'cairn mem show --help'");
    Outcome.of("mem", "show", folder.resolve("none.json")).failedWith(ExitCode.OTHER, "no such file", "none.json");
    Path damaged = Files.writeString(folder.resolve("damaged.json"), "{}");
    Outcome.of("mem", "show", damaged).failedWith(ExitCode.OTHER, "schemaVersion is missing", "damaged.json");
    Outcome.of("mem", "show", damaged, "--to", "x.svg").failedWith(ExitCode.USAGE, "x.svg");
    assertThat(Outcome.ok("mem", "show", "--help")).contains("Usage: cairn mem show", "--to=FILE");
  }
}
