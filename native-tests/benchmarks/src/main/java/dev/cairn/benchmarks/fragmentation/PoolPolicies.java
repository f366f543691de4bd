package dev.cairn.benchmarks.fragmentation;

import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.bfc.SplitPolicy;
import java.util.List;

/** What is compared. To add one, add a line; what is judged is named here and nowhere else. */
final class PoolPolicies {
  /** Judged as a fixed pool. */
  static final PoolPolicy JUDGED_FIXED = fixed("low-fragmentation", BfcOptions.LOW_FRAGMENTATION);
  /** Judged as a pool that grows by regions which never merge. */
  static final PoolPolicy JUDGED_GROWING = growing("exact, as requested, before growth", BfcOptions.DEFAULT
    .withSplit(SplitPolicy.exact()).withGrowth(Growth.AS_REQUESTED).withCollection(Collection.BEFORE_GROWTH));

  private static final BfcOptions EXACT = BfcOptions.DEFAULT.withSplit(SplitPolicy.exact());

  /** Fixed pools, XLA's first. */
  static final List<PoolPolicy> FIXED = List.of(fixed("default", BfcOptions.DEFAULT), fixed("exact", EXACT),
    JUDGED_FIXED);

  /** Growing pools, XLA's first. */
  static final List<PoolPolicy> GROWING = List.of(growing("default, doubling", BfcOptions.DEFAULT),
    growing("exact, doubling", EXACT), growing("exact, as requested", EXACT.withGrowth(Growth.AS_REQUESTED)),
    growing("default, as requested, before a peak", BfcOptions.DEFAULT.withGrowth(Growth.AS_REQUESTED).withCollection(
      Collection.BEFORE_A_PEAK)),
    JUDGED_GROWING,
    growing("exact, as requested, before a peak", EXACT.withGrowth(Growth.AS_REQUESTED).withCollection(
      Collection.BEFORE_A_PEAK)),
    adjoining("exact, by page", EXACT), adjoining("low-fragmentation, by page", BfcOptions.LOW_FRAGMENTATION));

  private PoolPolicies() {}

  private static PoolPolicy fixed(String name, BfcOptions options) {
    return new PoolPolicy(name, options.withGrowth(Growth.WHOLE), false);
  }

  private static PoolPolicy growing(String name, BfcOptions options) {
    return new PoolPolicy(name, options, false);
  }

  private static PoolPolicy adjoining(String name, BfcOptions options) {
    return new PoolPolicy(name, options.withGrowth(Growth.BY_PAGE).withCollection(Collection.BEFORE_A_PEAK), true);
  }
}
