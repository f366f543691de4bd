package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.Verbosity;

/** A command that can be told how much to say. */
interface HasVerbosity {
  Verbosity verbosity();
}
