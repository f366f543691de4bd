package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a model is planned and how much it may take. */
public final class SessionOption {
  @Mixin
  private MemoryOption memory = new MemoryOption();

  @Option(names = "--planner", paramLabel = "NAME", defaultValue = "best-fit", converter = PlannerConverter.class,
    completionCandidates = PlannerNames.class,
    description = "Memory planner: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private PlannerChoice planner = PlannerChoice.BEST_FIT;

  @Option(names = "--threads", paramLabel = "N", converter = Bounded.Threads.class,
    description = "Processor threads a kernel may use, 1 to 1024. Default: all.")
  private @Nullable Integer threads;

  @Mixin
  private CompileOption compile = new CompileOption();

  public PlannerChoice planner() {
    return planner;
  }

  public SessionOptions sessionOptions(Map<String, Shape> shapes) {
    SessionOptions options = SessionOptions.DEFAULT.withCompile(compile.compileOptions(planner)).withShapes(shapes)
      .withMemory(memory.memoryOptions());
    return threads == null ? options : options.withThreads(threads);
  }

  /** The names of all planners, for help and completion. */
  static final class PlannerNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(PlannerChoice.values()).map(PlannerChoice::toString).iterator();
    }
  }

  static final class PlannerConverter implements ITypeConverter<PlannerChoice> {
    @Override
    public PlannerChoice convert(String name) {
      try {
        return PlannerChoice.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
