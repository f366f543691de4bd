package dev.cairn.runtime.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn mem}: what is known of memory after the event; the work is done by its subcommands. */
@Command(name = "mem", synopsisSubcommandLabel = "COMMAND")
final class MemCommand implements Runnable {
  @Spec
  private CommandSpec spec = CommandSpec.create();

  /** With its subcommands. */
  static CommandSpec spec(RuntimeOptions options) {
    return CommandSpec.forAnnotatedObject(new MemCommand())
      .addSubcommand("show", CommandSpec.forAnnotatedObject(new MemShowCommand()))
      .addSubcommand("replay", CommandSpec.forAnnotatedObject(new MemReplayCommand(options)));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing: known=" + String.join(",", spec
      .subcommands().keySet()));
  }
}
