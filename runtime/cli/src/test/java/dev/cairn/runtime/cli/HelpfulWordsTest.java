package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.text.Suggestion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Suggestions for mistyped words and open shapes, completion, and help that fits the terminal. */
class HelpfulWordsTest {
  @TempDir
  private Path folder;

  @Test
  void theNearestWordIsSuggested() {
    List<String> words = List.of("plan", "run", "bench", "compare");
    assertThat(Suggestion.of("plna", words)).contains("plan");
    assertThat(Suggestion.of("comparre", words)).contains("compare");
    assertThat(Suggestion.of("rn", words)).contains("run");
    assertThat(Suggestion.of("serve", words)).isEmpty();
    assertThat(Suggestion.of("run", List.of("run"))).as("it is right").isEmpty();
  }

  @Test
  void mistypedVerbsOptionsModelsAndInputsAreRecognised() {
    Outcome.of("pland", "mlp").failedWith(ExitCode.USAGE, "did you mean 'plan'?");
    Outcome.of("plan", "mlp", "--memory-limt=1MiB").failedWith(ExitCode.USAGE, "did you mean '--memory-limit'?");
    Outcome.of("plan", "resnet5").failedWith(ExitCode.INVALID_MODEL, "did you mean 'resnet50'?");
    Outcome.of("plan", "mlp", "--shapes", "inputs:1x784").failedWith(ExitCode.USAGE, "did you mean 'input'?");
    Outcome.of("help", "rnu").failedWith(ExitCode.USAGE, "did you mean 'run'?");
    Outcome.of("zoo", "mpl").failedWith(ExitCode.USAGE, "did you mean 'mlp'?");
    assertThat(Outcome.of("plan", "mlp", "--unheard-of").err()).doesNotContain("did you mean");
    assertThat(Outcome.of("-q").err()).as("every letter is as near").doesNotContain("did you mean");
  }

  @Test
  void suggestedShapesWork() throws IOException {
    Path model = SmallModels.open(folder);
    Outcome open = Outcome.of("run", model);
    open.failedWith(ExitCode.USAGE, "dimensions are open: x=", "give shapes, for example --shapes x:1x3");
    Matcher shapes = Pattern.compile("--shapes (\\S+);").matcher(open.err());
    assertThat(shapes.find()).isTrue();
    assertThat(Outcome.ok("run", model, "--shapes", shapes.group(1), "-q")).contains("output   y float32[1x3]");
  }

  @Test
  void completionKnowsVerbsAndOptions() {
    assertThat(Outcome.ok("completion")).contains("complete -F _complete_cairn", "--memory-limit", "replay", "doctor")
      .doesNotContain("\\u");
  }

  /** Variables of the script are called as the options' values are in the help. */
  @Test
  void completionKeepsValuesOfOptionsApart() {
    Set<String> variables = new HashSet<>();
    for (String line : Outcome.ok("completion").lines().toList()) {
      if (line.startsWith("function ")) {
        variables.clear();
      } else if (line.contains("_option_args=(")) {
        assertThat(variables.add(line.substring(0, line.indexOf('=')))).as(line).isTrue();
      }
    }
  }

  @Test
  void helpIsAsWideAsTheTerminal() {
    for (String[] words : new String[][] {{"help"}, {"help", "run"}, {"mem", "replay", "--help"}}) {
      String narrow = help("60", words);
      String wide = help("120", words);
      assertThat(narrow.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
      assertThat(wide.lines()).anySatisfy(line -> assertThat(line).hasSizeGreaterThan(80));
      assertThat(wide.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }
    assertThat(help("no number", "help", "plan").lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(
      80));
  }

  private static String help(String columns, String... words) {
    Outcome outcome = Outcome.in(Map.of("COLUMNS", columns), (Object[]) words);
    assertThat(outcome.code()).isZero();
    return outcome.out();
  }
}
