package dev.cairn.benchmarks.fragmentation;

import java.util.List;

/**
 * All figures.
 *
 * @param traces names of those measured
 * @param variants names of the variants
 * @param skipped names of traces that are not there
 */
record FragmentationFigures(List<String> traces, List<String> variants, List<String> skipped,
  List<PolicyFigures<FixedPool>> fixed, List<PolicyFigures<GrowingPool>> growing) {

  /** @param traces at least one */
  static FragmentationFigures measured(List<NamedTrace> traces, List<TraceVariant> variants) {
    List<String> names = traces.stream().map(NamedTrace::name).toList();
    return new FragmentationFigures(names, variants.stream().map(TraceVariant::name).toList(),
      NamedTrace.NAMES.stream().filter(it -> !names.contains(it)).toList(),
      PoolPolicies.FIXED.stream().map(policy -> PolicyFigures.measured(policy, traces, variants,
        it -> FixedPool.of(it.trace(), policy), FixedPool::smallest)).toList(),
      PoolPolicies.GROWING.stream().map(policy -> PolicyFigures.measured(policy, traces, variants,
        it -> GrowingPool.of(it.trace(), policy), GrowingPool::reserved)).toList());
  }
}
