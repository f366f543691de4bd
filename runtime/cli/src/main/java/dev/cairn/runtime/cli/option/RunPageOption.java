package dev.cairn.runtime.cli.option;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a drawing of the plan goes, with what a run held over it. */
@HelpSection.In(HelpSection.OUTPUT)
public final class RunPageOption {
  @HelpSection.Common
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--html", paramLabel = "FILE",
    description = "Record the memory of one more run, and write a self-contained HTML page: a drawing of the plan, and "
      + "over it what the run held.")
  private @Nullable Path file;

  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }
}
