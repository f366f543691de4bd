package dev.cairn.allocator.replay;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.bfc.BfcOptions.Placement;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The policies that a trace is compared under. To add one, add a line. */
public final class ReplayPolicies {
  private static final List<ReplayPolicy> ALL = List.of(
    bfc("doubling", "XLA's default: regions apart, each twice the one before", it -> it),
    bfc("doubling-exact", "the same, but chunks are always split", it -> it.withSplit(SplitPolicy.exact())),
    bfc("as-requested", "regions apart, each as long as the request", it -> it.withGrowth(Growth.AS_REQUESTED)),
    contiguous("contiguous", "one range of addresses that grows by what is missing", it -> it.withGrowth(
      Growth.AS_REQUESTED)),
    contiguous("contiguous-exact", "the same, but chunks are always split", it -> it.withGrowth(Growth.AS_REQUESTED)
      .withSplit(SplitPolicy.exact())),
    whole("whole", "XLA without growth: one region of the whole limit", it -> it),
    whole("whole-exact", "the same, but chunks are always split", it -> it.withSplit(SplitPolicy.exact())),
    whole("whole-neighbours", "one region, split exactly, blocks next to their like", it -> it.withSplit(
      SplitPolicy.exact()).withPlacement(Placement.BY_NEIGHBOURS)),
    bfc("lean", "as requested, split exactly, idle regions given back before growth", it -> it.withGrowth(
      Growth.AS_REQUESTED).withSplit(SplitPolicy.exact()).withCollection(Collection.BEFORE_GROWTH)),
    contiguous("pages", "adjoining pages of 2 MiB, split exactly, free ones given back before a peak", it -> it
      .withGrowth(Growth.BY_PAGE).withSplit(SplitPolicy.exact()).withCollection(Collection.BEFORE_A_PEAK)));

  private ReplayPolicies() {}

  /** All of them, in the order of the table. */
  public static List<ReplayPolicy> all() {
    return ALL;
  }

  /** The policies with these names, in their order; all policies if there are no names. */
  public static List<ReplayPolicy> named(List<String> names) {
    if (names.isEmpty()) {
      return ALL;
    }
    List<ReplayPolicy> policies = new ArrayList<>();
    for (String name : names) {
      policies.add(ALL.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow(
        () -> new IllegalArgumentException("no such policy: given=%s known=%s".formatted(name, ALL.stream().map(
          ReplayPolicy::name).collect(Collectors.joining(","))))));
    }
    return List.copyOf(policies);
  }

  private static ReplayPolicy bfc(String name, String description, UnaryOperator<BfcOptions> options) {
    return new ReplayPolicy(name, description, false, limitBytes -> new BfcAllocator(FakeSubAllocator.scattered(
      limitBytes), options.apply(BfcOptions.DEFAULT.withLimitBytes(limitBytes))));
  }

  private static ReplayPolicy contiguous(String name, String description, UnaryOperator<BfcOptions> options) {
    return new ReplayPolicy(name, description, false, limitBytes -> new BfcAllocator(FakeSubAllocator.contiguous(
      limitBytes), options.apply(BfcOptions.DEFAULT.withLimitBytes(limitBytes))));
  }

  private static ReplayPolicy whole(String name, String description, UnaryOperator<BfcOptions> options) {
    return new ReplayPolicy(name, description, true, limitBytes -> new BfcAllocator(FakeSubAllocator.scattered(
      limitBytes), options.apply(BfcOptions.DEFAULT.withLimitBytes(limitBytes).withGrowth(Growth.WHOLE))));
  }
}
