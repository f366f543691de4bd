package dev.cairn.runtime.compile;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.memory.PlanRemedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How recomputations, copies and streamed weights could make a model fit. Each remedy was compiled,
 * and fits. The reports of commands and sessions all ask here.
 *
 * @param options the options with which the model does not fit
 * @param compiler compiles the model with options
 * @param isHost whether kernels read and write host memory
 */
public record FittingModes(CompileOptions options, Function<CompileOptions, CompiledGraph> compiler, boolean isHost) {
  /** How far above the reached bytes, or above the floor, limits are tried. */
  private static final double[] FACTORS = {1, 1.02, 1.06, 1.15, 1.3};
  /** The most work of each quick search; a limit that it meets is tried again with the options themselves. */
  private static final long QUICK_WORK = 10_000_000;
  /** How many limits to try between the last of these limits and the plan without one; neighbours have equal ratios. */
  private static final int WIDE_STEPS = 4;
  /** A remedy must stay below this part of the bytes without a limit. Otherwise it gains less than it is worth. */
  private static final double WORTH = 0.99;

  /**
   * The remedies, options before limits.
   *
   * @param refused the graph as compiled for the limit
   */
  public List<PlanRemedy> remedies(CompiledGraph refused, long limitBytes) {
    List<PlanRemedy> found = new ArrayList<>();
    otherOptions(limitBytes).ifPresent(found::add);
    refused.streamed().filter(it -> !it.fits()).ifPresent(it -> found.add(new PlanRemedy.OtherMeans(it.neededBytes(),
      "weights are streamed from " + it.source())));
    if (refused.streamed().isEmpty()) {
      refused.recomputed().filter(it -> !it.fits()).flatMap(it -> recomputations(refused, it)).ifPresent(found::add);
    }
    return found;
  }

  /** The same as ways for the report of a refused request. */
  public List<OutOfMemory.Way> ways(CompiledGraph refused, long limitBytes) {
    return remedies(refused, limitBytes).stream().flatMap(it -> switch (it) {
      case PlanRemedy.OtherMeans(var enough, var means) -> Stream.of(new OutOfMemory.Way("", enough, means));
      case PlanRemedy.OtherOption(var option, var needed, var price) -> Stream.of(new OutOfMemory.Way(option, needed,
        price));
      default -> Stream.<OutOfMemory.Way>empty();
    }).toList();
  }

  /** The usual modes, if the options ask for others; with a higher limit if a mode needs one. */
  private Optional<PlanRemedy> otherOptions(long limitBytes) {
    RecomputeOptions given = options.recompute();
    boolean isUsual = given.mode().searches();
    if (isUsual && (isHost || given.offload() == OffloadChoice.AUTO)) {
      return Optional.empty();
    }
    RecomputeOptions usual = (isUsual ? given : given.withMode(RecomputeMode.AUTO)).withOffload(OffloadChoice.AUTO);
    String words = Stream.of(isUsual ? "" : "--recompute auto", isHost || given.offload() == OffloadChoice.AUTO
      ? ""
      : "--offload auto").filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
    CompiledGraph compiled = compiled(usual, limitBytes);
    long needed = MemoryNeed.of(compiled, isHost).totalBytes();
    if (needed <= limitBytes) {
      return Optional.of(new PlanRemedy.OtherOption(words, needed, price(compiled)));
    }
    return new FittingModes(options.withRecompute(usual), compiler, isHost)
      .remedies(compiled, limitBytes).stream().flatMap(
        it -> it instanceof PlanRemedy.OtherMeans(var enough, var means)
          ? Stream.of(new PlanRemedy.OtherOption(words + " --memory-limit " + enough, enough, means))
          : Stream.<PlanRemedy>empty())
      .findFirst();
  }

  private Optional<PlanRemedy> recomputations(CompiledGraph refused, Recomputed reached) {
    MemoryNeed without = MemoryNeed.of(refused, isHost);
    long least = reached.budgetBytes() < reached.floorBytes() ? reached.floorBytes() : reached.peakBytes();
    double last = least * FACTORS[FACTORS.length - 1];
    DoubleStream wide = IntStream.range(1, WIDE_STEPS).mapToDouble(step -> last * Math.pow(without.planBytes() / last,
      (double) step / WIDE_STEPS));
    for (double planBytes : DoubleStream.concat(DoubleStream.of(FACTORS).map(it -> least * it), wide).toArray()) {
      long limit = without.besidePlanBytes() + (long) planBytes;
      if (limit > WORTH * without.totalBytes()) {
        break;
      }
      Optional<CompiledGraph> fitting = fitting(options.recompute().withWork(Math.min(QUICK_WORK, options
        .recompute().searchWork())), limit).flatMap(_ -> fitting(options.recompute(), limit));
      if (fitting.isPresent()) {
        return Optional.of(new PlanRemedy.OtherMeans(limit, "it fits " + price(fitting.get())));
      }
    }
    return Optional.empty();
  }

  private CompiledGraph compiled(RecomputeOptions recompute, long limitBytes) {
    return compiler.apply(options.withRecompute(recompute.withLimitBytes(limitBytes)));
  }

  private Optional<CompiledGraph> fitting(RecomputeOptions recompute, long limitBytes) {
    CompiledGraph compiled = compiled(recompute, limitBytes);
    return MemoryNeed.of(compiled, isHost).totalBytes() <= limitBytes ? Optional.of(compiled) : Optional.empty();
  }

  private static String price(CompiledGraph compiled) {
    return Stream.of(compiled.recomputed(), compiled.offloaded(), compiled.streamed()).flatMap(Optional::stream).map(
      Object::toString).collect(Collectors.joining("; "));
  }
}
