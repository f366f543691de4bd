package dev.cairn.runtime.memory.planner.nnvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The conformance cases, ids by entry; -1 are variables. */
class PlanMemoryCasesTest {
  private final NnvmGraphs graphs = new NnvmGraphs();

  private static StoragePlan plan(NnvmGraph graph) {
    return PlanMemory.plan(graph, NnvmOptions.DEFAULT);
  }

  private static void assertPlan(StoragePlan plan, long bytes, Integer... ids) {
    assertThat(plan.storageIds()).containsExactly(ids);
    assertThat(plan.allocatedBytes()).isEqualTo(bytes);
    assertThat(plan.notAllocated()).isZero();
  }

  @Test
  void sixUnaryOperatorsAlternateBetweenTwoStorages() {
    assertPlan(plan(NnvmGraphs.chain(false, 64, 64, 64, 64, 64, 64, 64)), 128, -1, 0, 1, 0, 1, 0, 1);
  }

  @Test
  void sixUnaryOperatorsInPlaceShareOneStorageButNotTheVariables() {
    StoragePlan plan = plan(NnvmGraphs.chain(true, 64, 64, 64, 64, 64, 64, 64));
    assertPlan(plan, 64, -1, 0, 0, 0, 0, 0, 0);
    assertThat(plan.inPlaceIndex()).containsExactly(-1, -1, 0, 0, 0, 0, 0);
  }

  @Test
  void upstreamsOwnCaseAddReshapeAdd() {
    int x = graphs.variable(32);
    int addk = graphs.inPlace(32, x, x);
    int reshapek = graphs.inPlace(32, addk);
    int add2 = graphs.inPlace(32, reshapek, addk);
    StoragePlan plan = plan(graphs.graph(graphs.inPlace(32, add2, add2)));
    assertPlan(plan, 64, -1, 0, 1, 1, 0);
    assertThat(plan.storageIds().get(addk)).isNotEqualTo(plan.storageIds().get(reshapek));
    assertThat(plan.storageIds().get(add2)).isEqualTo(plan.storageIds().get(reshapek));
  }

  @Test
  void aChainOfMixedSizesGrowsASmallStorageFromRangeTwoOn() {
    NnvmGraph graph = NnvmGraphs.chain(false, 1, 1000, 40, 500, 60, 900);
    for (long range : new long[] {0, 1}) {
      assertPlan(PlanMemory.plan(graph, NnvmOptions.DEFAULT.withMatchRange(range)), 2500, -1, 0, 1, 2, 3, 4);
    }
    for (long range : new long[] {2, 4, 16, 1000}) {
      StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT.withMatchRange(range));
      assertPlan(plan, 1060, -1, 0, 1, 0, 1, 0);
      assertThat(plan.storageBytes()).containsExactly(1000L, 60L);
    }
  }

  @Test
  void theWindowIncludesBothItsEnds() {
    assertPlan(plan(NnvmGraphs.chain(false, 1, 160, 1, 10)), 161, -1, 0, 1, 0);
    assertPlan(plan(NnvmGraphs.chain(false, 1, 161, 1, 10)), 172, -1, 0, 1, 2);
    assertPlan(plan(NnvmGraphs.chain(false, 1, 10, 5000, 175)), 5175, -1, 0, 1, 0);
    assertPlan(plan(NnvmGraphs.chain(false, 1, 10, 5000, 176)), 5186, -1, 0, 1, 2);
  }

  @Test
  void theWindowOfTheAllocatorAlone() {
    assertThat(freeThenAsked(160, 10)).containsExactly(160L);
    assertThat(freeThenAsked(161, 10)).containsExactly(161L, 10L);
    assertThat(freeThenAsked(10, 175)).containsExactly(175L);
    assertThat(freeThenAsked(10, 176)).containsExactly(10L, 176L);
  }

  private static List<Long> freeThenAsked(long freeBytes, long bytes) {
    var allocator = new GraphAllocator(16);
    allocator.release(allocator.request(freeBytes, 0));
    allocator.request(bytes, 0);
    return allocator.storageBytes();
  }

  @Test
  void coloursKeepTwoBranchesApart() {
    int x = graphs.variable(64);
    int a1 = graphs.operator(64, x);
    int b1 = graphs.operator(64, x);
    int a2 = graphs.operator(64, a1);
    int b2 = graphs.operator(64, b1);
    int a3 = graphs.operator(64, a2);
    int b3 = graphs.operator(64, b2);
    NnvmGraph graph = graphs.graph(graphs.operator(64, a3, b3));
    assertPlan(plan(graph), 192, -1, 0, 1, 2, 0, 1, 2, 0);
    assertThat(NodeColours.of(graph, 2)).containsExactly(1, 1, 0, 1, 0, 1, 0, 0);
    assertPlan(PlanMemory.plan(graph, NnvmOptions.DEFAULT.withColours(2)), 256, -1, 0, 1, 2, 3, 0, 1, 3);
  }

  @Test
  void outputsAreRequestedLargestFirstThenByHigherIndex() {
    int x = graphs.variable(64);
    int last = graphs.add(NnvmNode.operator("split", List.of(x),
      List.of(NnvmGraphs.bytes(64), NnvmGraphs.bytes(128), NnvmGraphs.bytes(64))));
    int y = graphs.operator(64, last - 2);
    int z = graphs.operator(128, y);
    StoragePlan plan = plan(graphs.graph(z));
    assertPlan(plan, 256, -1, 2, 0, 1, 1, 0);
    assertThat(plan.inPlaceIndex()).containsExactly(-1, -1, -2, -2, -1, -1);
  }

  @Test
  void anInputWithAnotherReaderToComeIsNotTakenInPlace() {
    int x = graphs.variable(64);
    int b = graphs.operator(64, x);
    int c = graphs.inPlace(64, b);
    int d = graphs.inPlace(64, c);
    StoragePlan plan = plan(graphs.graph(graphs.inPlace(64, b, d)));
    assertPlan(plan, 128, -1, 0, 1, 1, 0);
    assertThat(plan.inPlaceIndex()).containsExactly(-1, -1, -1, 0, 0);
  }

  @Test
  void autoSearchKeepsTheSmallestTotalAndOfEqualOnesTheSmallestRange() {
    NnvmGraph mixed = NnvmGraphs.chain(false, 1, 1000, 40, 500, 60, 900);
    StoragePlan plan = PlanMemory.plan(mixed, NnvmOptions.DEFAULT.withAutoSearch());
    assertThat(plan.matchRange()).isEqualTo(2);
    assertPlan(plan, 1060, -1, 0, 1, 0, 1, 0);
    NnvmGraph equal = NnvmGraphs.chain(false, 64, 64, 64);
    assertThat(PlanMemory.plan(equal, NnvmOptions.DEFAULT.withAutoSearch()).matchRange()).isEqualTo(1);
  }
}
