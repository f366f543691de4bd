package dev.cairn.runtime.cli;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.report.Remedy;
import dev.cairn.runtime.cli.option.CommandFiles;
import dev.cairn.runtime.cli.option.OutputOption;
import dev.cairn.runtime.cli.option.Verbosity;
import dev.cairn.runtime.cli.text.LongLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What every verb has: how much it says, how it writes its results, and an exit code. */
abstract class CairnCommand implements Callable<Integer> {
  private static final Set<Remedy.Kind> OFFERED = EnumSet.of(Remedy.Kind.RAISE_LIMIT, Remedy.Kind.OTHER_WAY,
    Remedy.Kind.END_OTHERS);

  @Spec
  private CommandSpec spec = CommandSpec.create();
  @Mixin
  private OutputOption output = new OutputOption();
  @Mixin
  private Verbosity verbosity = new Verbosity();

  /** Does the work; a failure is thrown, and turned into words by {@link Failure}. */
  abstract ExitCode execute() throws IOException;

  /** What to do about an input that is refused. */
  String inputs() {
    return Failure.INPUTS;
  }

  /** Says of a failure what three lines can't, after them; nothing under {@code --quiet}. */
  final void explain(Throwable error, PrintWriter err) {
    if (error instanceof OutOfMemory failure && verbosity.isQuiet()) {
      dump(failure, err);
    } else if (error instanceof OutOfMemory failure) {
      err.println();
      err.println(report(failure, dump(failure, err)));
    }
  }

  /** With the remedies alone that the command line offers: allocators offer more to programs. */
  private static OomReport report(OutOfMemory failure, Optional<Path> dump) {
    OomReport all = OomReport.of(failure, dump);
    List<Remedy> offered = all.remedies().stream().filter(it -> OFFERED.contains(it.kind())).toList();
    return new OomReport(failure, all.summary(), all.releasingSet(), offered, dump);
  }

  /** Writes every chunk to a file, where the verb has an option for it. */
  Optional<Path> dump(OutOfMemory failure, PrintWriter err) {
    return Optional.empty();
  }

  final Verbosity verbosity() {
    return verbosity;
  }

  /** The options among those of these mixins that were given, as they are written in the help. */
  final List<String> given(String... mixins) {
    ParseResult parsed = spec.commandLine().getParseResult();
    return Stream.of(mixins).flatMap(it -> Objects.requireNonNull(spec.mixins().get(it), it).options().stream())
      .map(OptionSpec::longestName).filter(parsed::hasMatchedOption).toList();
  }

  /** Whether the results shall have all figures, also those that take time: with {@code -v}, and as JSON. */
  final boolean printsAll() {
    return verbosity.isVerbose() || output.isJson();
  }

  /**
   * Checks files that the work turns out to write.
   *
   * @throws dev.cairn.runtime.cli.option.FileConflict when one of them is an input or an output of another option
   */
  final void requireOutputs(String option, Collection<Path> files) throws IOException {
    CommandFiles.of(spec).requireOutputs(option, files);
  }

  /** Writes the results in the form that was asked for. */
  final void print(String text, Map<String, Object> document) {
    output.print(spec.commandLine().getOut(), text, document);
  }

  /** Writes a line of the results at once, in the form for people only. */
  final void printNow(String line) {
    if (!output.isJson()) {
      spec.commandLine().getOut().println(line);
      spec.commandLine().getOut().flush();
    }
  }

  /** Says on standard error what does not end the command, unless it is to be quiet. */
  final void warn(String line) {
    if (!verbosity.isQuiet()) {
      spec.commandLine().getErr().println(LongLine.of("cairn: ", line));
    }
  }

  @Override
  public final Integer call() throws IOException {
    verbosity.apply();
    CommandFiles.of(spec).require();
    return execute().number();
  }
}
