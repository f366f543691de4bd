package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command in a block of a page runs, in the order of the page and with small models in the places of others.
 * {@link #OTHERS} names those that this test does not run, and says why.
 */
class DocsCommandsTest {
  private static final Path DOCS = ProductSources.ROOT.resolve("docs");
  private static final Pattern FENCE = Pattern.compile("\\s*```(.*)");
  private static final Pattern COMMAND = Pattern.compile(
    "^(?:\\$ )?(?:[A-Z_]+=\\S* )?(?:\\./|sudo )?(?:cairn|mvn|java|bash|native-tests/\\S+|pip|apt-get|jshell) .*");
  private static final Pattern FILE = Pattern.compile(
    "[\\w./-]+\\.(?:html|svg|json|csv|onnx|pickle|npz|npy|gz|txt|cairn)");
  private static final int LEAST_COMMANDS = 30;

  /** Beginnings of commands, and why no test runs them as they stand. */
  private static final Map<String, String> OTHERS = Map.ofEntries(
    Map.entry("mvn ", "builds of Maven: the build itself is one"),
    Map.entry("native-tests/repeat.sh", "repeats whole builds, or classes many times"),
    Map.entry("java --enable-native-access=ALL-UNNAMED", "TutorialTest runs these programs"),
    Map.entry("java @flags", "LaunchedProgramTest makes and uses such a cache by the launcher"),
    Map.entry("pip install", "downloads libraries of NVIDIA"),
    Map.entry("./cairn run resnet-symbol.json", "MxnetCommandsTest runs such a network"),
    Map.entry("./cairn run model.onnx --load-inputs input:test_data_set_0", "CommandsTest reads and checks such files"),
    Map.entry("$ cairn train mlp", "TrainCommandTest trains on these rows"),
    Map.entry("./cairn plan bert_base --train", "MemoryLimitTest plans this iteration"),
    Map.entry("./cairn mem show dump.json", "MemoryDumpTest runs out of memory and shows the dump"),
    Map.entry("./cairn doctor", "DoctorCommandTest runs it: its exit code depends on the machine"));
  /** Exit codes beside 0: a limit that the small model does not meet, a baseline that a busy machine misses. */
  private static final Set<Integer> ANSWERS = Set.of(ExitCode.OK.number(), ExitCode.OUT_OF_MEMORY.number(),
    ExitCode.COMPARISON_FAILED.number());

  @TempDir
  private Path folder;

  static Stream<Path> pages() {
    return ProductSources.files(DOCS, ".md").stream().filter(page -> !page.startsWith(DOCS.resolve("benchmarks"))
      && !commands(page).isEmpty());
  }

  /** Commands in the page's blocks that are of no language, or of a shell's. */
  private static List<String> commands(Path page) {
    List<String> found = new ArrayList<>();
    boolean isInside = false;
    boolean isShell = false;
    try {
      for (String line : Files.readAllLines(page)) {
        Matcher fence = FENCE.matcher(line);
        if (fence.matches()) {
          isInside = !isInside;
          isShell = isInside && Set.of("", "bash", "sh").contains(fence.group(1));
        } else if (isShell && COMMAND.matcher(line.strip()).matches()) {
          found.add(line.strip());
        }
      }
    } catch (IOException e) {
      throw new AssertionError(page.toString(), e);
    }
    assertThat(isInside).as("a block without an end: " + page).isFalse();
    return found;
  }

  @Test
  void pagesHaveCommands() {
    List<String> all = pages().flatMap(page -> commands(page).stream()).toList();
    assertThat(all).hasSizeGreaterThanOrEqualTo(LEAST_COMMANDS);
    assertThat(OTHERS.keySet()).allSatisfy(it -> assertThat(all).as("no longer on any page").anyMatch(line -> line
      .startsWith(it)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandRuns(Path page) throws IOException {
    prepare();
    for (String line : commands(page)) {
      if (OTHERS.keySet().stream().noneMatch(line::startsWith)) {
        Object[] words = words(line);
        Outcome outcome = Outcome.of(words);
        assertThat(ANSWERS).as(line + "\n" + outcome.err()).contains(outcome.code());
        boolean isExact = outcome.code() != 0 && !line.contains("--memory-limit") && !line.contains("--baseline");
        assertThat(isExact).as(line + "\n" + outcome.err()).isFalse();
      }
    }
  }

  private void prepare() throws IOException {
    Outcome.ok("zoo", "mlp", "-o", folder.resolve("model.onnx"));
    Files.writeString(folder.resolve("graph.csv"), """
      id,name,phase,cost,bytes,reads
      0,a,forward,1,100,
      1,b,forward,1,100,
      2,c,forward,1,100,
      3,readA,backward,1,1,0
      4,readB,backward,1,1,1
      5,readC,backward,1,1,2
      """);
    Files.writeString(folder.resolve("problem.csv"), "id,lower,upper,size\na,0,2,1024\nb,1,3,2048\n");
  }

  /** Without the comment, with each file in this test's folder, and without what needs a GPU. */
  private Object[] words(String line) {
    String command = line.replaceFirst("^(?:[A-Z_]+=\\S* )?\\./cairn ", "").replaceFirst("\\s#.*", "").strip()
      .replaceAll("[\\[\\]]", "").replaceAll("\\bMODEL\\b", "model.onnx").replace("resnet50", "mlp")
      .replaceAll("--device (?:cuda:0|sim)", "--device cpu").replace("--require-gpu", "")
      .replaceAll("--duration \\d+", "--duration 0.2").replaceAll("--iterations \\d+", "--iterations 3");
    List<Object> words = new ArrayList<>();
    Arrays.stream(command.split(" +")).map(word -> FILE.matcher(word).matches() ? folder.resolve(word) : word)
      .forEach(words::add);
    return words.toArray();
  }
}
