package dev.cairn.runtime.memory.planner.nnvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where an implementation goes wrong that was read off quickly; one trap a test. */
class PlanMemoryTrapsTest {
  private static final ElementType INT32 = ElementType.of("int32", 4);
  private static final ElementType FLOAT64 = ElementType.of("float64", 8);

  private final NnvmGraphs graphs = new NnvmGraphs();

  private StoragePlan plan(Integer... outputs) {
    return PlanMemory.plan(graphs.graph(outputs), NnvmOptions.DEFAULT);
  }

  private StoragePlan plan(NnvmOptions options, Integer... outputs) {
    return PlanMemory.plan(graphs.graph(outputs), options);
  }

  @Test
  void autoSearchUpToZeroRunsNoPlanAtAll() {
    NnvmOptions options = NnvmOptions.DEFAULT.withMatchRange(0).withAutoSearch();
    NnvmGraph graph = NnvmGraphs.chain(false, 1, 2, 3);
    assertThat(PlanMemory.tryPlan(graph, options)).isEmpty();
    assertThatThrownBy(() -> PlanMemory.plan(graph, options)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("no match range to try");
  }

  @Test
  void autoSearchDoublesAndStopsAtOrBelowTheGreatestRange() {
    assertThat(NnvmOptions.DEFAULT.withMatchRange(20).withAutoSearch().matchRanges()).containsExactly(1, 2, 4, 8, 16);
    assertThat(NnvmOptions.DEFAULT.withMatchRange(20).matchRanges()).containsExactly(20);
    assertThat(NnvmOptions.DEFAULT.withMatchRange(Long.MAX_VALUE).withAutoSearch().matchRanges()).hasSize(63);
  }

  @Test
  void rangeZeroWithoutSearchIsOnePlanWithoutReuse() {
    assertThat(PlanMemory.plan(NnvmGraphs.chain(false, 1, 8, 8, 8, 8), NnvmOptions.DEFAULT.withMatchRange(0))
      .storageIds()).containsExactly(-1, 0, 1, 2, 3);
  }

  @Test
  void externalAndDynamicEntriesAreNeitherRequestedNorReleasedNorTaken() {
    for (int id : new int[] {StorageId.EXTERNAL, StorageId.DYNAMIC}) {
      var graph = new NnvmGraphs();
      int x = graph.variable(8);
      int given = graph.add(NnvmNode.operator("given", List.of(x), List.of(NnvmGraphs.bytes(8).at(id)))
        .withInPlace(0, 0));
      int y = graph.inPlace(8, given);
      int z = graph.operator(8, y);
      StoragePlan plan = PlanMemory.plan(graph.graph(z), NnvmOptions.DEFAULT);
      assertThat(plan.storageIds()).containsExactly(-1, id, 0, 1);
      assertThat(plan.notAllocated()).as("only -1 counts").isZero();
      assertThat(plan.inPlaceIndex()).containsOnly(-1);
    }
  }

  @Test
  void anEntryReadTwiceByOneNodeCountsTwice() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int square = graphs.inPlace(8, a, a);
    StoragePlan plan = plan(graphs.operator(8, square));
    assertThat(plan.storageIds()).as("not in place; released once, by its second use").containsExactly(-1, 0, 1, 0);
  }

  @Test
  void anEntryThatIsOnlyReadByThoseWhoIgnoreItIsReleasedAtOnce() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int b = graphs.add(graphs.node(8, a, x).withIgnoredInputs(0));
    StoragePlan plan = plan(graphs.operator(8, b));
    assertThat(plan.storageIds()).containsExactly(-1, 0, 0, 1);
    assertThat(plan.inPlaceIndex().get(a)).isEqualTo(StoragePlan.NEVER_READ);
    assertThat(ReferenceCounts.of(graphs.graph(b))).containsExactly(2, 0, 2, 0);
  }

  @Test
  void aNodeThatIgnoresAllItsInputsTakesNoneButByIdentity() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int shape = graphs.add(graphs.node(8, a).withIgnoredInputs(0).withInPlace(0, 0));
    int alias = graphs.add(graphs.node(8, a).withIgnoredInputs(0).withIdentity(0, 0));
    StoragePlan plan = plan(graphs.operator(8, a), shape, alias);
    assertThat(plan.inPlaceIndex()).containsExactly(-1, -1, -1, 0, -1);
    assertThat(plan.storageIds().get(alias)).isEqualTo(plan.storageIds().get(a));
  }

  @Test
  void upstreamTakesAnIgnoredInputThatOneOtherStillReads() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int b = graphs.operator(8, x);
    int taker = graphs.add(graphs.node(8, a, b).withIgnoredInputs(0).withInPlace(0, 0));
    StoragePlan plan = plan(graphs.operator(8, a), taker);
    assertThat(plan.inPlaceIndex().get(taker)).as("the count of 1 is the later reader's").isZero();
  }

  @Test
  void graphOutputsAreNeverReleased() {
    int x = graphs.variable(8);
    int a = graphs.inPlace(8, x);
    int b = graphs.inPlace(8, a);
    assertThat(plan(a, a, b).storageIds()).containsExactly(-1, 0, 1);
  }

  @Test
  void theFirstPairThatFitsWinsAndNoInputIsTakenTwice() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int b = graphs.operator(8, x);
    int last = graphs.add(NnvmNode.operator("two", List.of(a, b), List.of(NnvmGraphs.bytes(8), NnvmGraphs.bytes(8)))
      .withInPlace(1, 0).withInPlace(1, 1).withInPlace(0, 0).withInPlace(0, 1));
    StoragePlan plan = plan(last - 1, last);
    assertThat(plan.inPlaceIndex()).containsExactly(-1, -1, -1, 1, 0);
    assertThat(plan.storageIds()).containsExactly(-1, 0, 1, 1, 0);
  }

  @Test
  void anOutputThatNobodyReadsTakesNoInput() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int unread = graphs.inPlace(8, a);
    StoragePlan plan = plan(graphs.operator(8, x));
    assertThat(plan.storageIds().get(unread)).isNotEqualTo(plan.storageIds().get(a));
    assertThat(plan.inPlaceIndex().get(unread)).isEqualTo(StoragePlan.NEVER_READ);
  }

  @Test
  void anIdentitySharesWithTheOtherReadersAndTheCountIsTheStorages() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int alias = graphs.reshape(8, a);
    int early = graphs.inPlace(8, alias);
    int late = graphs.inPlace(8, a);
    StoragePlan plan = plan(early, late);
    assertThat(plan.storageIds()).as("early must not overwrite what late reads").containsExactly(-1, 0, 0, 1, 0);
    assertThat(plan.inPlaceIndex()).containsExactly(-1, -1, 0, -1, 0);
  }

  @Test
  void inPlaceDoesNotAskForTheColour() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int b = graphs.operator(8, x);
    int c = graphs.inPlace(8, b);
    int d = graphs.operator(8, a, a);
    int e = graphs.inPlace(8, d, c);
    NnvmGraph graph = graphs.graph(graphs.operator(8, e));
    int[] colours = NodeColours.of(graph, 2);
    assertThat(colours[a]).isNotEqualTo(colours[c]);
    assertThat(PlanMemory.plan(graph, NnvmOptions.DEFAULT.withColours(2)).inPlaceIndex().get(c)).isZero();
  }

  @Test
  void coloursStopWhenNothingIsLeftToPaint() {
    assertThat(NodeColours.of(NnvmGraphs.chain(false, 8, 8, 8), 9)).containsExactly(1, 0, 0);
    assertThat(NodeColours.of(NnvmGraphs.chain(false, 8), 3)).containsExactly(0);
  }

  @Test
  void typesOfEqualSizeMayShareUnlessTheInputIsReadAgain() {
    int x = graphs.variable(8);
    int a = graphs.add(NnvmNode.operator("a", List.of(x), List.of(NnvmGraphs.floats(2))));
    int cast = graphs.add(NnvmNode.operator("cast", List.of(a), List.of(NnvmEntry.of(INT32, 2))).withIdentity(0, 0));
    int wide = graphs.add(NnvmNode.operator("wide", List.of(cast), List.of(NnvmEntry.of(FLOAT64, 2)))
      .withInPlace(0, 0));
    NnvmGraph once = graphs.graph(wide);
    NnvmGraph readAgain = graphs.graph(wide, a);
    for (InPlaceRule rule : InPlaceRule.values()) {
      NnvmOptions options = NnvmOptions.DEFAULT.withInPlaceRule(rule);
      assertThat(PlanMemory.plan(once, options).inPlaceIndex().get(cast)).as("last reader, %s", rule)
        .isEqualTo(rule == InPlaceRule.EQUAL_TYPE ? -1 : 0);
      assertThat(PlanMemory.plan(readAgain, options).inPlaceIndex().get(cast)).as("read again, %s", rule)
        .isEqualTo(-1);
      assertThat(PlanMemory.plan(once, options).inPlaceIndex().get(wide)).as("wider, %s", rule).isEqualTo(-1);
    }
  }

  @Test
  void outputsAreOrderedByElementsThoughOthersHaveMoreBytes() {
    int x = graphs.variable(8);
    int last = graphs.add(NnvmNode.operator("two", List.of(x), List.of(NnvmEntry.of(FLOAT64, 4), NnvmGraphs.bytes(5))));
    assertThat(plan(last - 1, last).storageIds()).containsExactly(-1, 1, 0);
  }

  @Test
  void fourBytesAnElementForEveryTypeInNnvmAndTvm() {
    int x = graphs.variable(8);
    int a = graphs.add(NnvmNode.operator("a", List.of(x), List.of(NnvmEntry.of(FLOAT64, 10))));
    int b = graphs.operator(10, a);
    NnvmGraph graph = graphs.graph(b);
    assertThat(PlanMemory.plan(graph, NnvmOptions.DEFAULT).allocatedBytes()).isEqualTo(80 + 10);
    StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT.withFourByteElements());
    assertThat(plan.allocatedBytes()).isEqualTo(40 + 40);
  }

  @Test
  void unknownShapesGetNoStorageAndAreCounted() {
    int x = graphs.variable(8);
    int dynamic = graphs.add(NnvmNode.operator("dynamic", List.of(x),
      List.of(NnvmEntry.ofUnknownShape(NnvmGraphs.BYTE))));
    int y = graphs.inPlace(8, dynamic);
    StoragePlan plan = plan(y);
    assertThat(plan.storageIds()).containsExactly(-1, -1, 0);
    assertThat(plan.notAllocated()).isEqualTo(1);
  }

  @Test
  void devicesShareNothing() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int b = graphs.add(graphs.node(8, a).onDevice(1));
    int c = graphs.add(graphs.node(8, b).onDevice(1));
    int d = graphs.operator(8, c);
    assertThat(plan(d).storageIds()).containsExactly(-1, 0, 1, 2, 0);
  }

  @Test
  void ofEqualFreeStoragesTheFirstReleasedServesButTheLastReleasedGrows() {
    var allocator = new GraphAllocator(16);
    int a = allocator.request(10, 0);
    int b = allocator.request(10, 0);
    allocator.release(b);
    allocator.release(a);
    assertThat(allocator.request(10, 0)).isEqualTo(b);
    allocator.release(b);
    assertThat(allocator.request(11, 0)).as("walked backwards").isEqualTo(b);
    assertThat(allocator.storageBytes()).containsExactly(10L, 11L);
  }

  @Test
  void aGrownStorageIsAsBigAsItGrewForTheNextWindow() {
    var allocator = new GraphAllocator(2);
    int id = allocator.request(10, 0);
    for (int bytes : new int[] {20, 40, 80, 40}) {
      allocator.release(id);
      assertThat(allocator.request(bytes, 0)).as("%d bytes", bytes).isEqualTo(id);
    }
    allocator.release(id);
    assertThat(allocator.request(39, 0)).as("80 is more than twice 39").isEqualTo(1);
    assertThat(allocator.storageBytes()).containsExactly(80L, 39L);
  }

  @Test
  void smallestBigEnoughBeforeAnythingThatMustGrow() {
    var allocator = new GraphAllocator(16);
    int small = allocator.request(99, 0);
    int big = allocator.request(1000, 0);
    allocator.release(small);
    allocator.release(big);
    assertThat(allocator.request(100, 0)).isEqualTo(big);
    assertThat(allocator.request(100, 0)).isEqualTo(small);
  }

  @Test
  void releasingNoStorageIsAnErrorReleasingAForeignOneIsNothing() {
    var allocator = new GraphAllocator(16);
    allocator.release(StorageId.EXTERNAL);
    allocator.release(StorageId.DYNAMIC);
    assertThat(allocator.request(0, 0)).isZero();
    assertThatThrownBy(() -> allocator.release(StorageId.NONE)).isInstanceOf(AssertionError.class);
  }

  @Test
  void windowsOfHugeRequestsDoNotOverflow() {
    var allocator = new GraphAllocator(Long.MAX_VALUE);
    allocator.release(allocator.request(Long.MAX_VALUE, 0));
    assertThat(allocator.request(2, 0)).isZero();
  }

  @Test
  void onlyTheNodeRangeIsPlannedWithTheCountsThatAreGiven() {
    NnvmGraph graph = NnvmGraphs.chain(true, 8, 8, 8, 8, 8);
    assertThat(PlanMemory.plan(graph.withNodeRange(2, 4), NnvmOptions.DEFAULT)).satisfies(plan -> {
      assertThat(plan.storageIds()).containsExactly(-1, -1, 0, 0, -1);
      assertThat(plan.notAllocated()).as("outside nothing is counted").isZero();
    });
    // The second operator's result is also read from outside.
    StoragePlan plan = PlanMemory.plan(graph.withReferenceCounts(List.of(1, 1, 2, 1, 1)), NnvmOptions.DEFAULT);
    assertThat(plan.storageIds()).containsExactly(-1, 0, 0, 1, 1);
  }

  @Test
  void graphsThatMakeNoSenseAreRefusedWithTheNode() {
    graphs.variable(8);
    graphs.operator(8, 5);
    assertThatThrownBy(() -> graphs.graph(0)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("n1");
    assertThatThrownBy(() -> NnvmGraphs.chain(false, 1, 1).withNodeRange(1, 3)).hasMessageContaining("bad node range");
    assertThatThrownBy(() -> NnvmGraphs.chain(false, 1, 1).withReferenceCounts(List.of(1)))
      .hasMessageContaining("entries=2");
    assertThatThrownBy(() -> graphs.node(8, 0).withInPlace(1, 0)).hasMessageContaining("no such input");
    assertThatThrownBy(() -> graphs.node(8, 0).withIgnoredInputs(0, 0)).hasMessageContaining("twice");
    assertThatThrownBy(() -> NnvmGraphs.bytes(8).at(0)).hasMessageContaining("storage=0");
    assertThatThrownBy(() -> NnvmOptions.DEFAULT.withColours(0)).hasMessageContaining("colours=0");
  }

  @Test
  void theOptionsReachThePlan() {
    int x = graphs.variable(8);
    int a = graphs.operator(8, x);
    int b = graphs.operator(100, a);
    int c = graphs.operator(8, b);
    assertThat(plan(NnvmOptions.DEFAULT.withMatchRange(1), c).matchRange()).isEqualTo(1);
    assertThat(plan(NnvmOptions.DEFAULT, c).storageIds()).containsExactly(-1, 0, 1, 0);
  }
}
