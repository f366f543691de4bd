package dev.cairn.benchmarks.fragmentation;

import dev.cairn.benchmarks.harness.Outcome;
import java.util.List;
import java.util.Locale;

/** The goals, and whether the figures reach them. */
final class FragmentationVerdict {
  /** Geometric mean over the traces of the smallest fixed pool / peak live. */
  static final double MAX_FIXED = 1.35;
  /** Geometric mean over the traces of peak reserved / peak live of a growing pool, its regions apart. */
  static final double MAX_GROWING = 1.50;

  private FragmentationVerdict() {}

  /** Passes only where no trace is missing: a mean over some of them is not the goal's. */
  static Outcome of(FragmentationFigures figures) {
    PolicyFigures<FixedPool> fixed = the(PoolPolicies.JUDGED_FIXED, figures.fixed());
    PolicyFigures<GrowingPool> growing = the(PoolPolicies.JUDGED_GROWING, figures.growing());
    double smallest = fixed.mean(FixedPool::smallest);
    double reserved = growing.mean(GrowingPool::reserved);
    String skipped = figures.skipped().isEmpty() ? "" : " skipped-no-data=" + figures.skipped().size();
    return new Outcome(String.format(Locale.ROOT, "traces=%d%s fixed=%.3f (default %.3f) growing=%.3f (default %.3f)",
      figures.traces().size(), skipped, smallest, figures.fixed().getFirst().mean(FixedPool::smallest), reserved,
      figures.growing().getFirst().mean(GrowingPool::reserved)),
      String.format(Locale.ROOT, "fixed<=%.2f,growing<=%.2f", MAX_FIXED, MAX_GROWING),
      figures.skipped().isEmpty() && smallest <= MAX_FIXED && reserved <= MAX_GROWING);
  }

  private static <F> PolicyFigures<F> the(PoolPolicy policy, List<PolicyFigures<F>> figures) {
    return figures.stream().filter(it -> it.policy().equals(policy)).findFirst().orElseThrow();
  }
}
