package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.option.HelpSection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Short help lists the options that people use, {@code --all} lists every option, both under headings. */
class OptionHelpTest {
  private static final CommandLine MAIN = Main.withAllVerbs(new RuntimeOptions(false, Map.of()));

  private static Stream<String> verbs() {
    return MAIN.getSubcommands().keySet().stream();
  }

  private static Stream<String> verbsWithManyOptions() {
    return verbs().filter(OptionHelpTest::hasMany);
  }

  private static Stream<String> verbsWithFewOptions() {
    return verbs().filter(verb -> !verb.equals("help") && !hasMany(verb));
  }

  private static boolean hasMany(String verb) {
    return spec(verb).findOption("--all") != null && !verb.equals("help");
  }

  private static CommandSpec spec(String verb) {
    return Objects.requireNonNull(MAIN.getSubcommands().get(verb)).getCommandSpec();
  }

  /** The options that a help lists; each begins a line. */
  private static List<String> listed(String verb, String help) {
    return spec(verb).options().stream().map(OptionSpec::longestName).map(it -> it.replaceFirst("^--no-", "--"))
      .filter(it -> help.lines().anyMatch(line -> line.matches("  (-., | {4})" + it.replaceFirst("^--",
        "--(\\\\[no-]|no-)?")
        + "([= ].*|)")))
      .toList();
  }

  @ParameterizedTest
  @MethodSource("verbsWithManyOptions")
  void shortHelpListsAFewOptionsAndCountsTheOthers(String verb) {
    String help = Outcome.ok("help", verb);
    List<String> listed = listed(verb, help);
    assertThat(listed).hasSizeBetween(10, 20).contains("--help", "--all");
    assertThat(help).contains("Usage: cairn " + verb + " [OPTIONS] [MODEL]",
      "'cairn help %s --all' shows %d more options.".formatted(verb, spec(verb).options().size() - listed.size()));
  }

  @ParameterizedTest
  @MethodSource("verbsWithManyOptions")
  void allListsEveryOption(String verb) {
    String help = Outcome.ok("help", verb, "--all");
    assertThat(listed(verb, help)).hasSameSizeAs(spec(verb).options());
    assertThat(help).doesNotContain("more options");
    assertThat(Outcome.ok(verb, "--help", "--all")).isEqualTo(help).isEqualTo(Outcome.ok(verb, "--all"));
  }

  @ParameterizedTest
  @MethodSource("verbsWithManyOptions")
  void sectionsHaveOneOrder(String verb) {
    List<String> titles = Arrays.stream(HelpSection.values()).map(it -> it.title() + ":").toList();
    for (String help : List.of(Outcome.ok("help", verb), Outcome.ok("help", verb, "--all"))) {
      List<String> shown = help.lines().filter(titles::contains).toList();
      assertThat(shown).hasSizeGreaterThan(3).isEqualTo(titles.stream().filter(shown::contains).toList());
    }
  }

  @ParameterizedTest
  @MethodSource("verbsWithFewOptions")
  void fewOptionsAreOneList(String verb) {
    assertThat(Outcome.ok("help", verb)).doesNotContain("more options", "--all").isEqualTo(Outcome.ok("help", verb,
      "--all"));
  }

  @Test
  void completionKnowsOptionsThatShortHelpOmits() {
    assertThat(Outcome.ok("help", "run")).doesNotContain("--memory-trim");
    assertThat(Outcome.ok("completion")).contains("--memory-trim", "--all");
  }

  @Test
  void anOptionThatShortHelpOmitsIsSuggested() {
    Outcome.of("run", "mlp", "--memory-trm", "1s").failedWith(ExitCode.USAGE, "did you mean '--memory-trim'?");
  }

  /** Or the help that an error names would not have the option. */
  @Test
  void anErrorNamesTheHelpThatListsItsOption() {
    Outcome.of("plan", "mlp", "--budget", "soon").failedWith(ExitCode.USAGE, "see 'cairn help plan --all'");
    assertThat(Outcome.ok("help", "plan", "--all")).contains("--budget");
    Outcome.of("zoo", "mlp", "--batch", "x").failedWith(ExitCode.USAGE, "see 'cairn help zoo'");
    assertThat(Outcome.ok("help", "--all")).isEqualTo(Outcome.ok("help"));
  }
}
