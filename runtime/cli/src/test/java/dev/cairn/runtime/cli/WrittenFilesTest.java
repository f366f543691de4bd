package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places that can't be written are told before the work, whichever option names them. */
class WrittenFilesTest {
  @TempDir
  private Path folder = Path.of("");

  /** Fails before any work: the model, which would be another failure, is never read. */
  private static void assertRefused(String command, Path place, String fact) {
    List<String> words = List.of(command.formatted(place).split(" ", -1));
    Outcome outcome = Outcome.of(words.toArray()).failedWith(ExitCode.OTHER, "a file cannot be read or written", fact);
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run none.onnx --export-times %s", "run none.onnx --export-profile %s",
    "run none.onnx --memory-dump %s.json", "run none.onnx --record-allocations %s", "bench none.onnx --save %s",
    "bench none.onnx --export-times %s", "plan none.onnx --export %s.csv", "plan none.onnx --html %s",
    "plan none.onnx --svg %s", "zoo mlp -o %s"})
  void aFolderOrNoFolderWhereAFileShouldBe(String command) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "here before");
    Files.createDirectory(folder.resolve("a"));
    Files.createDirectory(folder.resolve("a.csv"));
    Files.createDirectory(folder.resolve("a.json"));
    assertRefused(command, folder.resolve("a"), "a folder instead of a file");
    assertRefused(command, folder.resolve("no/such"), "no such file or folder: " + folder.resolve("no"));
    assertRefused(command, file.resolve("below"), "expected a folder, found a file: " + file);
    assertThat(file).hasContent("here before");
  }

  @Test
  void aFolderOfOutputsIsMadeButNotBelowAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "here before");
    assertRefused("run none.onnx --export-output %s", file, "expected a folder, found a file");
    assertRefused("run none.onnx --export-output %s", file.resolve("a/b"), "expected a folder, found a file");
    assertRefused("run none.onnx --export-output %s", folder.resolve("no/such.npz"), "no such file or folder: " + folder
      .resolve("no"));
    assertRefused("run none.onnx --export-output %s", Files.createDirectory(folder.resolve("f.npz")),
      "a folder instead of a file");
    Path made = folder.resolve("a/b/c");
    Outcome.ok("run", SmallModels.fixed(folder, 1, 2, 3), "--iterations", 1, "--export-output", made);
    assertThat(made.resolve("y.npy")).exists();
  }

  @Test
  void namesThatNoFileCanHaveAreToldBeforeTheRun() throws IOException {
    String output = "y".repeat(252);
    var graph = SmallModels.graph(new long[] {1, 3}, output + " = Relu(x)");
    graph.setOutput(0, graph.getOutput(0).toBuilder().setName(output));
    Path model = SmallModels.save(folder, graph);
    Outcome outcome = Outcome.of("run", model, "--export-output", folder.resolve("out")).failedWith(ExitCode.USAGE,
      "an output's name is too long for a file name", "bytes=256 most=255", "omit --export-output");
    assertThat(outcome.out()).as("nothing was run").doesNotContain("latency");
    Outcome.ok("run", model);
    assertRefused("run none.onnx --export-times %s", folder.resolve("t".repeat(256)), "File name too long");
    Path times = folder.resolve("t".repeat(255));
    Outcome.ok("run", model, "--iterations", 1, "--export-times", times);
    assertThat(Files.readAllLines(times)).hasSize(2);
  }

  @Test
  void aLinkToAFileAndADeviceAreWritten() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Path target = Files.writeString(folder.resolve("target"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    Outcome.ok("run", model, "--iterations", 2, "--export-times", link);
    assertThat(link).isSymbolicLink();
    assertThat(Files.readAllLines(target)).hasSize(3).startsWith("nanos");
    Outcome.ok("run", model, "--iterations", 2, "--export-times", "/dev/null");
  }

  @Test
  void nothingIsLeftOfAFileThatWasOnlyLookedAt() {
    Path times = folder.resolve("times");
    Outcome.of("run", folder.resolve("none.onnx"), "--export-times", times).failedWith(ExitCode.INVALID_MODEL);
    assertThat(times).doesNotExist();
  }
}
