package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.trace.Tracer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether runs are recorded step by step, and where that is written. */
@HelpSection.In(HelpSection.OUTPUT)
public final class ProfileOption {
  /** How many runs a viewer shows with ease. */
  private static final int MOST_RUNS = 32;

  @HelpSection.Common
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--export-profile", paramLabel = "FILE.json",
    description = "Profile the timed runs step by step, print the slowest steps, and write the last " + MOST_RUNS
      + " runs for ui.perfetto.dev.")
  private @Nullable Path file;

  public @Nullable Path file() {
    return file;
  }

  /** Off when no file was asked for. */
  public Tracer newTracer() {
    return file == null ? Tracer.OFF : Tracer.keeping(MOST_RUNS);
  }
}
