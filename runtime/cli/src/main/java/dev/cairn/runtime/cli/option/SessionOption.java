package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.session.SessionOptions;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a model is planned and how much it may take. */
@HelpSection.In(HelpSection.MEMORY)
public final class SessionOption {
  @Mixin
  private MemoryOption memory = new MemoryOption();

  @Option(names = "--planner", paramLabel = "NAME", defaultValue = "best-fit", converter = PlannerConverter.class,
    completionCandidates = PlannerNames.class,
    description = "Memory planner: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private PlannerChoice planner = PlannerChoice.BEST_FIT;

  @Mixin
  private CompileOption compile = new CompileOption();

  public PlannerChoice planner() {
    return planner;
  }

  /** A limit that was given as a part of the plan without one. {@link #sessionOptions} leaves it out. */
  public Optional<BytesOrPart> partLimit() {
    return memory.partLimit();
  }

  /** The options, with a limit if it was given in bytes. */
  public SessionOptions sessionOptions(Map<String, Shape> shapes) {
    return compile.sessionOptions(planner).withShapes(shapes).withMemory(memory.memoryOptions());
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
