package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.analysis.recompute.UpstreamWords;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What to do when a model needs more memory than it may take. */
public enum RecomputeMode {
  /** Nothing. */
  OFF(0),
  /** Run steps again, so that their results need not be held, if that makes the model fit. */
  AUTO(200_000_000L),
  /** Like {@link #AUTO}, with twenty times the search. */
  SEARCH(4_000_000_000L),
  /** Find the cheapest choice there is and prove it; for graphs of few results. */
  EXACT(0),
  /** Run again what TensorFlow's memory optimizer would, to compare with it. */
  TF(UpstreamWords::tensorflow),
  /** Run again what hints ask for, and split and swap as TensorFlow's memory optimizer would, its mode MANUAL. */
  TF_MANUAL(it -> List.of(it.problem().givenOrder())),
  /** Keep for gradients what PyTorch's compiler would, with the largest budget that fits, to compare with it. */
  MINCUT(UpstreamWords::mincut),
  /** Hold the checkpoints of Chen's rules, the cheapest that fit, to compare with them. */
  CHEN(UpstreamWords::chen),
  /** Hold as many checkpoints as fit, and run again what Revolve would, to compare with it. */
  REVOLVE(UpstreamWords::revolve),
  /** Run again for gradients what MXNet would mirror, to compare with it. */
  MIRROR(UpstreamWords::mirror);

  private final long work;
  @SuppressWarnings("ImmutableEnumChecker") // a reference to a method without a state
  private final Optional<Function<UpstreamWords, List<Word>>> rule;

  RecomputeMode(long work) {
    this.work = work;
    rule = Optional.empty();
  }

  RecomputeMode(Function<UpstreamWords, List<Word>> rule) {
    work = 0;
    this.rule = Optional.of(rule);
  }

  /** The modes that choose as other systems do, without hints. */
  public static List<RecomputeMode> upstream() {
    return Arrays.stream(values()).filter(it -> it.rule.isPresent() && it != TF_MANUAL).toList();
  }

  /** Whether TensorFlow's passes follow that split sums and swap. */
  boolean isTensorFlow() {
    return this == TF || this == TF_MANUAL;
  }

  /** The most work of a search, in the planner's units. */
  long work() {
    return work;
  }

  /** Whether Cairn's own search chooses. */
  boolean searches() {
    return work > 0;
  }

  /** How another system chooses: its words, the most wanted first; empty for modes of Cairn's own. */
  Optional<Function<UpstreamWords, List<Word>>> rule() {
    return rule;
  }

  /** The mode of this name, as {@link #toString} writes it. */
  public static RecomputeMode of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("unknown mode of recomputation: given=%s known=%s".formatted(name, List.of(
        values()))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
