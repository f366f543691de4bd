package dev.cairn.runtime.cli.option;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The most memory that a model may take. */
@HelpSection.In(HelpSection.MEMORY)
final class LimitOption {
  @HelpSection.Common
  @Option(names = "--memory-limit", paramLabel = "2GiB", converter = BytesOrPart.Converter.class,
    description = "Limit of a model's weights, plan and results together; on a GPU, of weights, plan and "
      + "inputs. 50%%: what else it takes, and that part of its plan without a limit. Default: no limit.")
  private @Nullable BytesOrPart limit;

  /** Empty for no limit. */
  Optional<BytesOrPart> limit() {
    return Optional.ofNullable(limit);
  }
}
