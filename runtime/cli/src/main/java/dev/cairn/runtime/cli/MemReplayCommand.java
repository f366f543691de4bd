package dev.cairn.runtime.cli;

import dev.cairn.allocator.replay.ReplayPolicies;
import dev.cairn.allocator.replay.ReplayPolicy;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.InvalidTrace;
import dev.cairn.runtime.cli.option.Bounded;
import dev.cairn.runtime.cli.option.ByteSize;
import dev.cairn.runtime.cli.option.FileUse;
import dev.cairn.runtime.cli.option.PolicyName;
import dev.cairn.runtime.report.trace.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn mem replay}: what a recorded run would have taken under other policies. */
@Command(name = "replay", description = "Replay a trace of allocations under several policies.")
final class MemReplayCommand extends CairnCommand {
  @FileUse(FileUse.Kind.READ)
  @Parameters(index = "0", paramLabel = "TRACE",
    description = "An RMM log, PyTorch's plot data (JSON, or the page that holds it), or a MiniMalloc problem.")
  private Path file = Path.of("");

  @Option(names = "--trace-format", paramLabel = "auto|rmm|pytorch|minimalloc", defaultValue = "auto",
    description = "Format of the file. Default: ${DEFAULT-VALUE}.")
  private TraceFormat format = TraceFormat.AUTO;

  @Option(names = "--limit", paramLabel = "16GiB", converter = ByteSize.Converter.class,
    description = "Limit of each pool. Default: no limit.")
  private @Nullable ByteSize limit;

  @Option(names = "--policy", split = ",", paramLabel = "NAME", converter = PolicyName.Converter.class,
    completionCandidates = PolicyName.Candidates.class,
    description = "Policies to replay: ${COMPLETION-CANDIDATES}. Default: all.")
  private List<ReplayPolicy> policies = new ArrayList<>();

  @Option(names = "--scale", paramLabel = "N", defaultValue = "1", converter = Bounded.Positive.class,
    description = "Factor for all sizes, for files in units other than bytes. Default: ${DEFAULT-VALUE}.")
  private int scale;

  @Option(names = "--min-pool", description = "Also find the smallest limit with which each policy serves all.")
  private boolean minPool;
  private final RuntimeOptions runtime;

  MemReplayCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() throws IOException {
    AllocationTrace trace = scaled(load());
    long limitBytes = limit == null ? ReplayPolicy.NO_LIMIT : limit.bytes();
    List<ReplayPolicy> chosen = policies.isEmpty() ? ReplayPolicies.all() : policies;
    ReplayTable table = ReplayTable.of(trace, chosen, limitBytes, minPool, runtime.clock());
    String more = verbosity().isVerbose() ? table.descriptions() : "";
    print(table.text(file.toString()) + more, table.document(file.toString()));
    if (!table.isServedByAny()) {
      throw new Failure.Known(ExitCode.OUT_OF_MEMORY, "no policy serves the whole trace",
        "peak live %s, limit %s, refusals at least %d".formatted(StatsText.bytes(trace.peakLiveBytes()), StatsText
          .bytes(limitBytes), table.fewestRefusals()),
        "raise --limit; --min-pool shows how far for each policy");
    }
    return ExitCode.OK;
  }

  private AllocationTrace load() throws IOException {
    if (!Files.exists(file)) {
      throw unreadable("no such file", "give the path of a trace");
    }
    if (Files.isDirectory(file)) {
      throw unreadable("it is a folder", "give the path of a trace");
    }
    try {
      return format.read(file);
    } catch (InvalidTrace e) {
      throw unreadable(String.valueOf(e.getMessage()),
        "check that the file is complete; if it has another format, set --trace-format");
    }
  }

  private Failure.Known unreadable(String reason, String remedy) {
    return new Failure.Known(ExitCode.INVALID_MODEL, "the trace cannot be read", file + ": " + reason, remedy);
  }

  private AllocationTrace scaled(AllocationTrace trace) {
    try {
      return trace.scaled(scale);
    } catch (IllegalArgumentException e) {
      throw new Failure.Known(ExitCode.USAGE, "the sizes cannot be scaled", String.valueOf(e.getMessage()),
        "give a smaller --scale");
    }
  }
}
