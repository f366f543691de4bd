package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.option.CommandFiles;
import dev.cairn.runtime.cli.option.FileUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** No output of a command replaces one of its inputs or another output; pairs are derived from the options. */
class FileConflictTest {
  private static final CommandLine MAIN = Main.withAllVerbs(new RuntimeOptions(false, Map.of()));
  /** How the help writes the places of files. */
  private static final String PLACES = ".*(FILE|FOLDER|DIR|MODEL|TRACE|DUMP).*";
  /** Content for each input; {@code --costs} is read together with the options, before files are compared. */
  private static final String PROFILE = """
    {"otherData": {"kind": "cairn-profile"}, "traceEvents": [{"cat": "step", "dur": 1, "args": {"node": "a"}}]}
    """;

  @TempDir
  private Path folder = Path.of("");

  /** An option or a parameter of a command. */
  private record Argument(CommandSpec command, ArgSpec spec) {
    private boolean is(FileUse.Kind kind) {
      return CommandFiles.use(spec).filter(it -> it.value() == kind).isPresent();
    }

    private boolean isPlace() {
      return spec.paramLabel().matches(PLACES) || Stream.concat(Stream.of(spec.type()), Stream.of(spec
        .auxiliaryTypes())).anyMatch(it -> it == Path.class || it == Path[].class);
    }

    private String name() {
      return spec instanceof OptionSpec option ? option.longestName() : spec.paramLabel();
    }

    /** A name of a file that the argument takes, with this beginning. */
    private String fileName(String beginning) {
      String label = spec.paramLabel();
      String ending = label.contains("FILE.") ? label.replaceAll(".*FILE(\\.[a-z]+).*", "$1") : ".csv";
      boolean isDump = name().equals("--memory-dump") || name().equals("--to");
      return beginning + (isDump ? ".json" : label.startsWith("NAME:") ? ".npy" : ending);
    }

    /** What is typed to give the argument this file. */
    private List<String> words(Path file) {
      String label = spec.paramLabel();
      String value = label.startsWith("NAME:")
        ? "x:" + file
        : label.contains("measured:") ? "measured:" + file : file.toString();
      return spec instanceof OptionSpec option ? List.of(option.longestName(), value) : List.of(value);
    }

    private boolean isFolder() {
      return spec.paramLabel().startsWith("DIR");
    }

    @Override
    public String toString() {
      return command.qualifiedName(" ") + " " + name();
    }
  }

  private static Stream<CommandSpec> commands(CommandLine line) {
    return Stream.concat(Stream.of(line.getCommandSpec()), line.getSubcommands().values().stream().flatMap(
      FileConflictTest::commands));
  }

  private static List<Argument> arguments(CommandSpec command) {
    return Stream.concat(command.options().stream(), command.positionalParameters().stream()).map(it -> new Argument(
      command, it)).toList();
  }

  private static Stream<Argument> all() {
    return commands(MAIN).filter(it -> !it.name().equals("help")).flatMap(it -> arguments(it).stream());
  }

  private static Stream<Arguments> pairs(BiFunction<Argument, Argument, Boolean> filter) {
    return commands(MAIN).flatMap(command -> arguments(command).stream().filter(it -> it.is(FileUse.Kind.WRITTEN))
      .flatMap(output -> arguments(command).stream().filter(it -> filter.apply(output, it)).map(it -> Arguments.of(
        output, it))));
  }

  static Stream<Arguments> outputsAndInputs() {
    return pairs((output, input) -> input.is(FileUse.Kind.READ) && !input.isFolder() && !input.name().equals(
      CommandFiles.use(output.spec()).orElseThrow().mayReplace()));
  }

  static Stream<Arguments> pairsOfOutputs() {
    return pairs((output, other) -> other.is(FileUse.Kind.WRITTEN) && other.name().compareTo(output.name()) < 0);
  }

  @Test
  void eachArgumentThatNamesFilesSaysWhatItDoesWithThem() {
    assertThat(all().filter(Argument::isPlace)).hasSizeGreaterThan(30).allMatch(it -> CommandFiles.use(it.spec())
      .isPresent());
    assertThat(all().filter(it -> CommandFiles.use(it.spec()).isPresent())).allMatch(Argument::isPlace,
      "the help says that a file is wanted");
  }

  private Outcome run(Argument first, Path one, Argument second, Path other) {
    List<String> words = new ArrayList<>(List.of(first.command().qualifiedName(" ").split(" ", -1)));
    words.removeFirst();
    if (first.command().name().equals("train") && !second.name().equals("--data")) {
      words.addAll(List.of("--data", folder.resolve("rows.csv").toString()));
    }
    words.addAll(second.words(other));
    words.addAll(first.words(one));
    if (first.command().positionalParameters().stream().anyMatch(it -> it.required() && it != second.spec())) {
      words.add(folder.resolve("other").toString());
    }
    return Outcome.of(words.toArray());
  }

  @ParameterizedTest
  @MethodSource("outputsAndInputs")
  void anOutputDoesNotReplaceAnInput(Argument output, Argument input) throws IOException {
    Path read = Files.writeString(folder.resolve(input.fileName("in")), PROFILE);
    Files.writeString(folder.resolve("rows.csv"), "1,0");
    Path hard = Files.createLink(folder.resolve(output.fileName("hard")), read);
    Path soft = Files.createSymbolicLink(folder.resolve(output.fileName("soft")), read);
    for (Path written : List.of(hard, soft)) {
      run(output, written, input, read).failedWith(ExitCode.USAGE, "an output would replace an input",
        output.name() + "=" + written, "is the same file as " + input.name() + "=" + read,
        "name another file with " + output.name());
    }
    assertThat(read).hasContent(PROFILE);
    assertThat(soft).isSymbolicLink();
  }

  @ParameterizedTest
  @MethodSource("pairsOfOutputs")
  void twoOutputsAreNotOneFile(Argument output, Argument other) throws IOException {
    Files.writeString(folder.resolve("rows.csv"), "1,0");
    Path first = folder.resolve(output.fileName("a"));
    // No file is there yet; the link names one that the other output would make.
    Path second = Files.createSymbolicLink(folder.resolve(other.fileName("b")), Path.of(first.getFileName()
      .toString()));
    run(output, first, other, second).failedWith(ExitCode.USAGE, "two outputs are one file", output.name(), other
      .name());
    assertThat(first).doesNotExist();
  }

  @Test
  void namesInOneFolderAreComparedBeforeThereAreFiles() throws IOException {
    Path same = Files.createSymbolicLink(folder.resolve("same"), folder);
    for (Path other : List.of(folder.resolve("q"), folder.resolve("./q"), same.resolve("q"))) {
      Outcome.of("plan", "mlp", "--svg", folder.resolve("q"), "--html", other).failedWith(ExitCode.USAGE,
        "two outputs are one file");
    }
    Outcome.ok("plan", "mlp", "--svg", folder.resolve("q"), "--html", folder.resolve("p"));
  }

  /** Bytes that go to a device are not lost by a second output. */
  @Test
  void aDeviceTakesSeveralOutputs() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Outcome.ok("run", model, "--iterations", 1, "--export-times", "/dev/null", "--export-profile", "/dev/null");
  }

  @Test
  void anArchiveOfOutputsAndAFileInAFolderOfOutputs() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Path y = folder.resolve("y.npy");
    Outcome.ok("run", model, "--iterations", 1, "--export-output", folder);
    byte[] before = Files.readAllBytes(y);
    Path x = Files.copy(y, folder.resolve("x.npy"));
    Path link = Files.createLink(folder.resolve("linked.npy"), y);
    Outcome outcome = Outcome.of("run", model, "--iterations", 1, "--export-output", folder, "--load-ref-outputs", "y:"
      + link).failedWith(ExitCode.USAGE, "an output would replace an input", "--export-output=" + y);
    assertThat(outcome.out()).as("nothing was run").doesNotContain("latency");
    Outcome.of("run", model, "--export-output", folder, "--export-times", y).failedWith(ExitCode.USAGE,
      "two outputs are one file");
    assertThat(y).hasBinaryContent(before);
    assertThat(x).exists();
  }

  @Test
  void aCurveHasFiguresBesideIt() throws IOException {
    Path graph = Files.writeString(folder.resolve("g.csv"), "id,name,phase,cost,bytes,reads");
    Outcome.of("plan", "--recompute-csv", graph, "--curve", folder.resolve("g.svg")).failedWith(ExitCode.USAGE,
      "--curve=" + graph, "an output would replace an input");
    assertThat(graph).hasContent("id,name,phase,cost,bytes,reads");
  }

  @Test
  void filesOfAModelAreInputsToo() throws IOException {
    Path model = SmallModels.save(folder, SmallModels.graph(new long[] {1, 3}, "y = Add(x, w)").addInitializer(
      SmallModels.externalWeight("w", "w.bin")));
    Path weights = Files.write(folder.resolve("w.bin"), new byte[12]);
    Outcome.of("run", model, "--html", weights).failedWith(ExitCode.USAGE, "an output would replace an input",
      "the model's w.bin=" + weights);
    Outcome.of("train", model, "--data", Files.writeString(folder.resolve("d.csv"), "1,2,3,0\n2,2,3,0\n"), "--batch", 1,
      "-o",
      weights).failedWith(ExitCode.USAGE, "an output would replace an input");
    assertThat(weights).hasBinaryContent(new byte[12]);
  }

  @Test
  void aFolderOfImagesHasFilesThatAreRead() throws IOException {
    IdxFolder.write(folder, 8, 4, 2);
    for (Path file : filesIn(folder)) {
      Outcome.of("train", "mlp", "--data", folder, "--checkpoint", file).failedWith(ExitCode.USAGE,
        "an output would replace an input", file.toString());
    }
  }

  private static Set<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return Set.copyOf(files.toList());
    }
  }

  /** The newest checkpoint takes the place of the one that the training continues. */
  @Test
  void aContinuedTrainingMayReplaceItsCheckpoint() throws IOException {
    Path rows = Files.writeString(folder.resolve("d.csv"), "0,1,0\n1,0,1\n0,1,0\n1,0,1\n0,1,0\n");
    Path kept = folder.resolve("kept.safetensors");
    Object[] words = {"train", "--data", rows, "--widths", "2,2", "--batch", 2, "--epochs", 1, "--checkpoint", kept};
    Outcome.ok(words);
    words[8] = 2;
    Outcome.ok(Stream.concat(Stream.of(words), Stream.of("--resume", kept)).toArray());
  }
}
