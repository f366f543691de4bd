package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.OffloadChoice;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.RecomputeOptions;
import dev.cairn.runtime.pass.quantize.QuantizedPasses;
import dev.cairn.runtime.session.SessionOptions;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * What steps a model becomes and how many threads a step may use. Together with the device and the planner, this
 * decides the plan.
 */
@HelpSection.In(HelpSection.STEPS)
public final class CompileOption {
  @Option(names = "--streams", paramLabel = "N", defaultValue = "1", converter = Bounded.Streams.class,
    description = "Streams on which branches may run concurrently, 1 to 64; each takes one of the threads. "
      + "Default: ${DEFAULT-VALUE}.")
  private int streams = 1;

  @Option(names = "--stream-memory", paramLabel = "RATIO", defaultValue = "1.1", converter = Bounded.Ratio.class,
    description = "Largest plan for several streams, as a multiple of the plan for one; branches that would need "
      + "more run on one stream. At least 1. Default: ${DEFAULT-VALUE}.")
  private double streamMemory = 1.1;

  @Option(names = "--fusion", negatable = true, fallbackValue = "true",
    description = "Fuse neighbouring element-wise operators into one step, on GPUs and with oneDNN also with the "
      + "matrix product before them. --no-fusion fuses nothing, not even attention or quantised products. Default: on "
      + "GPUs and with oneDNN; attention and quantised products everywhere.")
  private @Nullable Boolean fusion;

  @Option(names = "--no-channels-last", description = "Compute convolutions on images as the model has them, N,C,H,W. "
    + "Default: with the channels last, where kernels are faster so.")
  private boolean plainImages;

  @HelpSection.Common
  @HelpSection.In(HelpSection.DEVICE)
  @Option(names = "--precision", paramLabel = "TYPE", defaultValue = "as-written", converter = PrecisionConverter.class,
    completionCandidates = PrecisionNames.class,
    description = "Type in which to compute a float32 model: ${COMPLETION-CANDIDATES}; inputs and outputs stay as "
      + "they are. Default: ${DEFAULT-VALUE}.")
  private Precision precision = Precision.AS_WRITTEN;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(names = "--recompute", paramLabel = "MODE", defaultValue = "auto", converter = RecomputeConverter.class,
    completionCandidates = RecomputeNames.class,
    description = "What to do when a model needs more than --memory-limit: ${COMPLETION-CANDIDATES}. auto: run steps "
      + "again instead of holding their results, at the least cost, or stream weights; search: search longer for it; "
      + "exact: find the cheapest choice and prove it, for graphs of at most 31 results; "
      + "tf, tf-manual, mincut, chen, revolve, mirror: as TensorFlow's memory optimizer by its heuristics or by hints, "
      + "PyTorch's compiler, Chen's rules, Revolve and MXNet's mirroring choose. Default: ${DEFAULT-VALUE}.")
  private RecomputeMode recompute = RecomputeMode.AUTO;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(names = "--offload", paramLabel = "CHOICE", defaultValue = "auto", converter = OffloadConverter.class,
    completionCandidates = OffloadNames.class,
    description = "Whether results may wait in the host's memory when a model needs more of a GPU's memory than "
      + "--memory-limit: ${COMPLETION-CANDIDATES}. auto: where it takes less time than to run steps again; only: run "
      + "nothing again, stream no weights. Default: ${DEFAULT-VALUE}.")
  private OffloadChoice offload = OffloadChoice.AUTO;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(names = "--link", paramLabel = "24GB/s", defaultValue = "24GB/s", converter = LinkSpeed.Converter.class,
    description = "How fast a GPU copies from and to the host's memory: 12, 24 or 50GB/s for PCIe 3, 4 or 5. It "
      + "decides what is copied to keep to --memory-limit. Default: ${DEFAULT-VALUE}.")
  private LinkSpeed link = new LinkSpeed(RecomputeOptions.DEFAULT.linkBytesPerSecond());

  @HelpSection.In(HelpSection.MEMORY)
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--costs", paramLabel = "work|measured:FILE.json", defaultValue = "work",
    converter = StepTimesFile.Converter.class,
    description = "What steps cost when it is chosen what runs again to keep to --memory-limit: work: counted "
      + "operations and bytes, the same everywhere; measured:FILE.json: the times of a profile that --export-profile "
      + "wrote. Default: ${DEFAULT-VALUE}.")
  private StepTimesFile costs = StepTimesFile.WORK;

  @HelpSection.Common
  @HelpSection.In(HelpSection.DEVICE)
  @Option(names = "--threads", paramLabel = "N", converter = Bounded.Threads.class,
    description = "Processor threads a kernel may use, 1 to 1024. Default: all.")
  private @Nullable Integer threads;

  /** What to do when a model needs more memory than it may take. */
  public RecomputeMode recomputeMode() {
    return recompute;
  }

  /** @param planner places the buffers */
  public SessionOptions sessionOptions(PlannerChoice planner) {
    SessionOptions options = SessionOptions.DEFAULT.withCompile(compileOptions(planner));
    return threads == null ? options : options.withThreads(threads);
  }

  private CompileOptions compileOptions(PlannerChoice planner) {
    return CompileOptions.DEFAULT.withPlanner(planner).withStreams(streams).withStreamMemory(streamMemory)
      .withPrecision(precision).withFusion(fusion()).withAttention(fusion == null || fusion)
      .withQuantized(fusion == null || fusion ? QuantizedPasses.ALL : QuantizedPasses.NONE)
      .withChannelsLast(!plainImages).withRecompute(RecomputeOptions.DEFAULT.withMode(recompute).withOffload(offload)
        .withLinkBytesPerSecond(link.bytesPerSecond()).withMeasuredNanos(costs.nanos()));
  }

  private FusionChoice fusion() {
    Boolean wanted = fusion;
    return wanted == null ? CompileOptions.DEFAULT.fusion() : wanted ? FusionChoice.ON : FusionChoice.OFF;
  }

  /** The names of all precisions, for help and completion. */
  static final class PrecisionNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Precision.values()).map(Precision::toString).iterator();
    }
  }

  static final class PrecisionConverter implements ITypeConverter<Precision> {
    @Override
    public Precision convert(String name) {
      try {
        return Precision.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** The names of all modes of recomputation, for help and completion. */
  static final class RecomputeNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(RecomputeMode.values()).map(RecomputeMode::toString).iterator();
    }
  }

  /** The names of all choices of offload, for help and completion. */
  static final class OffloadNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(OffloadChoice.values()).map(OffloadChoice::toString).iterator();
    }
  }

  static final class OffloadConverter implements ITypeConverter<OffloadChoice> {
    @Override
    public OffloadChoice convert(String name) {
      try {
        return OffloadChoice.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class RecomputeConverter implements ITypeConverter<RecomputeMode> {
    @Override
    public RecomputeMode convert(String name) {
      try {
        return RecomputeMode.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
