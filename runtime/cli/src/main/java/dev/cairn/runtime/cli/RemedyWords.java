package dev.cairn.runtime.cli;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.memory.DeviceFit;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.PlanRemedy;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Remedies as what to type.
 *
 * @param limitOption that gives the limit
 * @param search what makes planners search for longer
 * @param batch words for a batch
 * @param amount how bytes are written
 */
record RemedyWords(String limitOption, String search, Function<PlanRemedy.SmallerBatch, String> batch,
  LongFunction<String> amount) {

  FitText text(FitVerdict verdict) {
    return new FitText(verdict, verdict.remedies().stream().map(it -> words(verdict, it)).toList(), amount);
  }

  private String words(FitVerdict verdict, PlanRemedy remedy) {
    return switch (remedy) {
      case PlanRemedy.OtherPlan(var planner, var neededBytes) ->
        "--planner %s, which needs %s".formatted(planner, amount.apply(neededBytes));
      case PlanRemedy.BetterPlan(var boundBytes) ->
        "a better plan: the lower bound is %s, so try %s".formatted(amount.apply(boundBytes), search);
      case PlanRemedy.SmallerBatch smaller -> batch.apply(smaller);
      case PlanRemedy.OtherMeans(var limitBytes, var means) ->
        higherLimit(limitOption, limitBytes, means);
      case PlanRemedy.OtherOption(var option, var neededBytes, var price) ->
        otherOption(option, amount.apply(neededBytes), price);
      case PlanRemedy.HigherLimit(var device, var limitBytes) -> higherLimit(verdict, device, limitBytes);
    };
  }

  /** What a session tried when it had too little memory, in the same words. */
  static String of(OutOfMemory.Way way) {
    return way.option().isEmpty()
      ? higherLimit("--memory-limit", way.limitBytes(), way.outcome())
      : otherOption(way.option(), StatsText.bytes(way.limitBytes()), way.outcome());
  }

  private static String higherLimit(String option, long limitBytes, String means) {
    return "raise %s to %d, with which %s".formatted(option, limitBytes, means);
  }

  private static String otherOption(String option, String needed, String price) {
    return "%s, which needs %s: %s".formatted(option, needed, price);
  }

  private String higherLimit(FitVerdict verdict, int device, long limitBytes) {
    DeviceFit fit = verdict.devices().stream().filter(it -> it.device() == device).findFirst().orElseThrow();
    String of = verdict.devices().size() > 1 ? " for device " + device : "";
    String least = !fit.isHopeless()
      ? ""
      : fit.boundBytes() == limitBytes
        ? " (%s takes less)".formatted(FitText.noPlan(fit))
        : " (%s takes less than %d)".formatted(FitText.noPlan(fit), fit.boundBytes());
    return "raise %s to %d%s%s".formatted(limitOption, limitBytes, of, least);
  }
}
