package dev.cairn.runtime.cli;

import dev.cairn.kernels.cpu.vector.VectorModule;
import dev.cairn.runtime.cli.text.EscapedText;
import dev.cairn.runtime.cli.text.PipeAwareOutput;
import dev.cairn.runtime.cli.text.StatusLine;
import dev.cairn.runtime.cli.text.Suggestion;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point: {@code cairn VERB}. */
@Command(name = "cairn", description = "Plans a model's memory, then runs it.", synopsisSubcommandLabel = "VERB",
  mixinStandardHelpOptions = true, scope = ScopeType.INHERIT, versionProvider = VersionCommand.Provider.class)
public final class Main {
  /**
   * What asks for the list of commands. It is written without picocli, whose classes alone take a tenth of a second.
   */
  private static final Set<List<String>> HELP = Set.of(List.of(), List.of("help"), List.of("help", "--all"),
    List.of("--help"),
    List.of("-h"));

  /** What options are called today. */
  private static final Map<String, String> RENAMED = Map.of("--remat", "--recompute", "--remat-csv",
    "--recompute-csv");

  /** As {@code cairn help} says it, unlike other commands. */
  private static final Pattern UNKNOWN_VERB = Pattern.compile("^Unknown subcommand '(.*)'");

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    // The same output everywhere: not 1.234 on one machine and 1,234 on another.
    Locale.setDefault(Locale.ROOT);
    if (!HELP.contains(List.of(arguments))) {
      boolean _ = VectorModule.load();
    }
    RuntimeOptions options = RuntimeOptions.ofProcess();
    if (options.terminal()) {
      StatusLine.install();
    }
    var results = new PipeAwareOutput();
    var out = new PrintWriter(results, true, StandardCharsets.UTF_8);
    var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = execute(arguments, out, err, options);
    if (out.checkError() && code == ExitCode.OK.number()) {
      if (!results.readerEnded()) {
        err.println(new Failure(ExitCode.OTHER, "the results could not be written", "standard output is closed or full",
          "free some space, or redirect the results elsewhere"));
      }
      code = ExitCode.OTHER.number();
    }
    if (code != 0) {
      System.exit(code);
    }
    // Returning ends the process as well, since no other thread keeps it up, and saves exit's search for a logger.
  }

  /**
   * Runs one command in this process; for {@link #main} and for tests. All that it prints goes through
   * {@link EscapedText}.
   */
  static int execute(String[] arguments, PrintWriter out, PrintWriter err, RuntimeOptions options) {
    return executeEscaped(arguments, new PrintWriter(new EscapedText(out), true), new PrintWriter(new EscapedText(err),
      true), options);
  }

  private static int executeEscaped(String[] arguments, PrintWriter out, PrintWriter err, RuntimeOptions options) {
    List<String> words = List.of(arguments);
    if (HELP.contains(words)) {
      out.print(Verb.list(options.columns()));
      out.flush();
      return ExitCode.OK.number();
    }
    var line = new CommandLine(new Main());
    Verb.addTo(line, words, options);
    line.setUsageHelpWidth(options.columns())
      .setOut(out)
      .setErr(err)
      .setCaseInsensitiveEnumValuesAllowed(true)
      .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
      .setParameterExceptionHandler(Main::misused)
      .setExecutionExceptionHandler((error, command, parsed) -> failed(error, command));
    try {
      return line.execute(arguments);
    } catch (StackOverflowError | OutOfMemoryError | AssertionError | LinkageError e) {
      // picocli handles exceptions only; a model too large for the heap is told in three lines like any other failure.
      return failed(e, innermost(line));
    }
  }

  private static CommandLine innermost(CommandLine line) {
    ParseResult parsed = line.getParseResult();
    return parsed.hasSubcommand() ? innermost(parsed.subcommand().commandSpec().commandLine()) : line;
  }

  private static int misused(ParameterException error, String[] arguments) {
    CommandLine line = error.getCommandLine();
    return failed(new Failure.Known(ExitCode.USAGE, "invalid command line", String.valueOf(error
      .getMessage()), "%ssee '%s'".formatted(suggestion(error), help(line))), line);
  }

  private static String suggestion(ParameterException error) {
    Matcher unknown = UNKNOWN_VERB.matcher(String.valueOf(error.getMessage()));
    if (unknown.find()) {
      return Suggestion.sentence(unknown.group(1), error.getCommandLine().getSubcommands().keySet());
    }
    if (!(error instanceof UnmatchedArgumentException unmatched) || unmatched.getUnmatched().isEmpty()) {
      return Failure.suggestion(String.valueOf(error.getMessage()));
    }
    CommandLine line = error.getCommandLine();
    String word = unmatched.getUnmatched().getFirst();
    String verb = Verb.forFile(line.getCommandName(), word);
    if (!verb.isEmpty()) {
      return "did you mean 'cairn %s %s'? ".formatted(verb, word);
    }
    if (word.matches("-[^-]")) {
      return ""; // every letter is as near to it
    }
    Set<String> known = word.startsWith("-")
      ? line.getCommandSpec().optionsMap().keySet()
      : line.getSubcommands()
        .keySet();
    String option = word.replaceAll("=.*", "");
    String renamed = RENAMED.getOrDefault(option, "");
    return known.contains(renamed) ? "did you mean '%s'? ".formatted(renamed) : Suggestion.sentence(option, known);
  }

  /** The command line with all verbs, for what describes it as a whole. */
  static CommandLine withAllVerbs(RuntimeOptions options) {
    var line = new CommandLine(new Main());
    Verb.addTo(line, Stream.of(Verb.values()).map(Verb::toString).toList(), options);
    return line;
  }

  /**
   * The command that prints how this one is used, with all options: {@code help} knows verbs, but not the commands
   * below a verb.
   */
  private static String help(CommandLine line) {
    if (line.getParent() == null) {
      return "cairn help";
    }
    boolean isVerb = line.getParent().getParent() == null;
    return isVerb
      ? "cairn help " + line.getCommandName() + OptionHelp.ofAll(line)
      : line.getCommandSpec().qualifiedName() + " --help";
  }

  private static int failed(Throwable error, CommandLine line) {
    if (line.getCommandSpec().userObject() instanceof CairnCommand command) {
      Failure failure = Failure.of(error, command.inputs());
      line.getErr().println(failure);
      command.explain(error, line.getErr());
      if (command.verbosity().isVerbose()) {
        error.printStackTrace(line.getErr());
      }
      return failure.code().number();
    }
    Failure failure = Failure.of(error);
    line.getErr().println(failure);
    return failure.code().number();
  }
}
