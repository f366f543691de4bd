package dev.cairn.runtime.cli;

import dev.cairn.runtime.zoo.Zoo;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands: name, what each does in one line, and how it is made. To add one, add a row and its case. A command is
 * only made when an argument names it, because reading its annotations takes time that the others need not spend.
 */
enum Verb {
  RUN("Plan a model and run it."),
  COMPARE("Compare a device with the processor, or the processor with portable kernels, node by node."),
  PLAN("Plan a model's memory without running it; say whether it fits a limit."),
  TRAIN("Train a network on rows of a file; say before the first iteration what it takes."),
  BENCH("Time a model under load; compare with a baseline."),
  INSPECT("Show a model's inputs, outputs, operators and weights."),
  OPS("List the supported operators, or a model's operators and what Cairn lacks for them."),
  MEM("Show a memory dump, or replay recorded allocations under other policies."),
  DEVICES("List the processor and the GPUs that models can run on, with their memory."),
  DOCTOR("Check this machine for everything that Cairn needs, and say how to fix problems."),
  ZOO("List the reference models, or write one as an ONNX file."),
  SHELL("Open Java's shell with Cairn's classes and imports, and arrays to compute with."),
  COMPLETION("Print a script that completes commands in bash and zsh: source <(cairn completion)."),
  VERSION("Print the versions of Cairn and Java."),
  HELP("Print the usage of a command.");

  private static final String[] NO_LINES = {};
  private static final int COLUMN = 11;

  private final String description;

  Verb(String description) {
    this.description = description;
  }

  /** What {@code cairn --help} prints. */
  static String list(int columns) {
    var text = new StringBuilder("""
      Usage: cairn VERB [OPTION...]
      Plans a model's memory, then runs it.

      """);
    for (Verb verb : values()) {
      text.append("  ").append(verb).append(" ".repeat(COLUMN - verb.toString().length())).append(wrapped(
        verb.description, columns - COLUMN - 2)).append('\n');
    }
    return text.append("""

      'cairn help VERB' explains a verb and its options.
      Without a model, 'cairn run' runs a reference model.
      """).toString();
  }

  private static String wrapped(String text, int columns) {
    var lines = new StringBuilder();
    int used = 0;
    for (String word : text.split(" ", -1)) {
      if (used > 0 && used + 1 + word.length() > columns) {
        lines.append('\n').append(" ".repeat(COLUMN + 2));
        used = 0;
      }
      lines.append(used == 0 ? "" : " ").append(word);
      used += word.length() + (used == 0 ? 0 : 1);
    }
    return lines.toString();
  }

  /** Adds every command to the main one. */
  static void addTo(CommandLine line, List<String> arguments, RuntimeOptions options) {
    for (Verb verb : values()) {
      CommandSpec spec = arguments.contains(verb.toString())
        ? CommandSpec.forAnnotatedObject(verb.command(options))
        : CommandSpec.create();
      spec.usageMessage().header(NO_LINES).description(verb.description);
      if (verb == HELP) {
        OptionHelp.addTo(spec);
      }
      var command = new CommandLine(spec);
      line.addSubcommand(verb.toString(), command);
      OptionHelp.addTo(command, arguments);
    }
  }

  /** The command to suggest for a model or a dump that was typed in a command's place; empty for other words. */
  static String forFile(String command, String word) {
    if (command.equals("cairn") && (word.endsWith(".onnx") || Zoo.names().contains(word))) {
      return "run";
    }
    return command.equals("mem") && word.endsWith(".json") ? "mem show" : "";
  }

  private Object command(RuntimeOptions options) {
    return switch (this) {
      case RUN -> new RunCommand(options);
      case COMPARE -> new CompareCommand(options);
      case PLAN -> new PlanCommand(options);
      case TRAIN -> new TrainCommand(options);
      case BENCH -> new BenchCommand(options);
      case INSPECT -> new InspectCommand();
      case OPS -> new OpsCommand();
      case MEM -> MemCommand.spec(options);
      case DEVICES -> new DevicesCommand(options);
      case DOCTOR -> new DoctorCommand(options);
      case ZOO -> new ZooCommand();
      case SHELL -> new ShellCommand();
      case COMPLETION -> new CompletionCommand(options);
      case VERSION -> new VersionCommand();
      case HELP -> new CommandLine.HelpCommand();
    };
  }

  /** The word that is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
