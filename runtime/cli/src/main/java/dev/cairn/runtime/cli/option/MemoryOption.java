package dev.cairn.runtime.cli.option;

import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.runtime.session.MemoryGrowth;
import dev.cairn.runtime.session.MemoryOptions;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How much memory a model may take, how it grows, and when it is given back. */
@HelpSection.In(HelpSection.MEMORY)
public final class MemoryOption {
  @Mixin
  private LimitOption limit = new LimitOption();

  @Option(names = "--memory-growth", paramLabel = "HOW", defaultValue = "as-requested",
    converter = GrowthConverter.class, completionCandidates = GrowthNames.class,
    description = "How memory grows: ${COMPLETION-CANDIDATES}. whole: take the limit at once; virtual: on a GPU, map "
      + "it into one range of addresses. Default: ${DEFAULT-VALUE}.")
  private MemoryGrowth growth = MemoryGrowth.AS_REQUESTED;

  @Option(names = "--memory-collection", paramLabel = "WHEN", converter = CollectionConverter.class,
    completionCandidates = CollectionNames.class,
    description = "When to return idle memory to make room: ${COMPLETION-CANDIDATES}. compact: before growth, and move "
      + "open results before a refusal. Default: before-growth with a limit, else at-the-limit.")
  private BfcOptions.@Nullable Collection collection;

  @Option(names = "--memory-trim", paramLabel = "500ms", converter = TimeSpan.Converter.class,
    description = "Return memory that has been idle for this long. Default: only to make room.")
  private @Nullable TimeSpan trim;

  @Option(names = "--memory-guard", paramLabel = "256", converter = ByteSize.Converter.class,
    description = "Put red zones of this many bytes around each block of memory, and fail a run whose kernel writes "
      + "into one. On the processor, without a limit; slow.")
  private @Nullable ByteSize guard;

  @Option(names = "--memory-wait", paramLabel = "2s", converter = TimeSpan.Converter.class,
    description = "How long a run without enough memory waits for open results to be closed, once no other run is "
      + "active. Default: not at all.")
  private @Nullable TimeSpan wait;

  /** A limit that was given as a part of a plan, which is not in {@link #memoryOptions}. */
  Optional<BytesOrPart> partLimit() {
    return limit.limit().filter(BytesOrPart::isPart);
  }

  MemoryOptions memoryOptions() {
    MemoryOptions options = MemoryOptions.DEFAULT.withGrowth(growth);
    options = wait == null ? options : options.withWaitingTime(wait.duration());
    Optional<BytesOrPart> bytes = limit.limit().filter(it -> !it.isPart());
    options = bytes.isPresent() ? options.withLimitBytes(bytes.get().of(0)) : options;
    options = collection == null ? options : options.withCollection(collection);
    options = trim == null ? options : options.withTrim(schedule(trim));
    return guard == null ? options : options.withGuardBytes(guard.bytes());
  }

  private static TrimSchedule schedule(TimeSpan idle) {
    return TrimSchedule.afterIdle(idle.duration());
  }

  private static String name(BfcOptions.Collection when) {
    return when.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The names of all ways to grow, for help and completion. */
  static final class GrowthNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(MemoryGrowth.values()).map(MemoryGrowth::toString).iterator();
    }
  }

  static final class GrowthConverter implements ITypeConverter<MemoryGrowth> {
    @Override
    public MemoryGrowth convert(String name) {
      try {
        return MemoryGrowth.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** When memory may be collected, for help and completion. */
  static final class CollectionNames implements Iterable<String> {
    private static final List<String> ALL = Arrays.stream(BfcOptions.Collection.values()).map(MemoryOption::name)
      .toList();

    @Override
    public Iterator<String> iterator() {
      return ALL.iterator();
    }
  }

  static final class CollectionConverter implements ITypeConverter<BfcOptions.Collection> {
    @Override
    public BfcOptions.Collection convert(String given) {
      return Arrays.stream(BfcOptions.Collection.values()).filter(it -> name(it).equals(given)).findFirst().orElseThrow(
        () -> new TypeConversionException("unknown collection: given=%s known=%s".formatted(given,
          CollectionNames.ALL)));
    }
  }
}
