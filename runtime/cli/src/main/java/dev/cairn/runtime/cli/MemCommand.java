package dev.cairn.runtime.cli;

import picocli.CommandLine.Command;

/** {@code cairn mem}: what is known of memory after the event. Each of its words is a command of its own. */
@Command(subcommands = MemShowCommand.class, synopsisSubcommandLabel = "WHAT")
final class MemCommand {}
