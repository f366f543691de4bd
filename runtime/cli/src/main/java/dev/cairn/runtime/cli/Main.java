package dev.cairn.runtime.cli;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The entry point: {@code cairn VERB}. */
@Command(name = "cairn", description = "Plans a model's memory, then runs it.", synopsisSubcommandLabel = "VERB",
  mixinStandardHelpOptions = true, scope = ScopeType.INHERIT, versionProvider = VersionCommand.Provider.class, subcommands = {
    RunCommand.class, PlanCommand.class, InspectCommand.class, OpsCommand.class, ZooCommand.class, VersionCommand.class,
    CommandLine.HelpCommand.class})
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    RuntimeOptions options = RuntimeOptions.ofProcess();
    redirectErrors(options);
    int code = execute(arguments, new PrintWriter(System.out, true, StandardCharsets.UTF_8), new PrintWriter(System.err,
      true, StandardCharsets.UTF_8), options);
    System.out.flush();
    System.exit(code);
  }

  /** Runs one command in this process; for {@link #main} and for tests. */
  static int execute(String[] arguments, PrintWriter out, PrintWriter err, RuntimeOptions options) {
    var line = new CommandLine(new Main())
      .setOut(out)
      .setErr(err)
      .setColorScheme(CommandLine.Help.defaultColorScheme(options.colour() ? Ansi.ON : Ansi.OFF))
      .setParameterExceptionHandler(Main::misused)
      .setExecutionExceptionHandler(Main::failed);
    return line.execute(arguments.length == 0 ? new String[] {"help"} : arguments);
  }

  private static int misused(ParameterException error, String[] arguments) {
    CommandLine line = error.getCommandLine();
    String verb = line.getCommandName().equals("cairn") ? "" : " " + line.getCommandName();
    line.getErr().println(new Failure(ExitCode.USAGE, "the command line cannot be understood", String.valueOf(error
      .getMessage()).replace('\n', ' '), "see 'cairn help%s'".formatted(verb)));
    return ExitCode.USAGE.number();
  }

  private static int failed(Exception error, CommandLine line, ParseResult parsed) {
    Failure failure = Failure.of(error);
    line.getErr().println(failure);
    if (parsed.commandSpec().userObject() instanceof HasVerbosity command && command.verbosity().isVerbose()) {
      error.printStackTrace(line.getErr());
    }
    return failure.code().number();
  }

  /** Past the launcher's filter, which is only there for the JVM's own messages. */
  private static void redirectErrors(RuntimeOptions options) {
    String file = options.errorStream();
    if (file == null) {
      return;
    }
    try {
      System.setErr(new PrintStream(new FileOutputStream(file), true, StandardCharsets.UTF_8));
    } catch (FileNotFoundException e) {
      // The descriptor is not to be had this way on this system: standard error itself still works.
      System.err.println("cairn: standard error stays filtered: " + e.getMessage());
    }
  }
}
