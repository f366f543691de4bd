package dev.cairn.runtime.memory.planner.nnvm;

import static dev.cairn.runtime.memory.planner.nnvm.AssignFlag.COPY;
import static dev.cairn.runtime.memory.planner.nnvm.AssignFlag.NONE;
import static dev.cairn.runtime.memory.planner.nnvm.AssignFlag.NOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.PlanValidator;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignTest {
  private final NnvmGraphs graphs = new NnvmGraphs();

  private int elementwise(Integer... inputs) {
    return graphs.add(graphs.node(8, inputs).withPattern(FusionPattern.ELEMENTWISE).withInPlace(0, 0));
  }

  private int assign(int lhs, int rhs) {
    return graphs.add(NnvmNode.assign("assign" + rhs, lhs, rhs, NnvmGraphs.bytes(8)));
  }

  private DecoratedPlan decorated(Integer... outputs) {
    NnvmGraph graph = graphs.graph(outputs);
    StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT);
    DecoratedPlan decorated = DecoratedPlan.of(graph, plan);
    PooledStorages pooled = PooledStorages.of(graph, plan, decorated);
    PlanValidator.requireValid(pooled.problem(), pooled.plan());
    return decorated;
  }

  @Test
  void upstreamsOwnCaseOfAChainOfAssignsNeedsNoCopy() {
    int w = graphs.variable(8);
    int sum = elementwise(w);
    int assigned = assign(w, sum);
    int w2 = graphs.variable(8);
    int sum2 = elementwise(assigned);
    int assigned2 = assign(w2, sum2);
    DecoratedPlan plan = decorated(assigned2);
    assertThat(plan.flags()).containsExactly(NONE, NONE, NOP, NONE, NONE, NOP);
    List<Integer> ids = plan.storageIds();
    assertThat(List.of(ids.get(sum), ids.get(assigned))).as("the new w").containsOnly(ids.get(w));
    assertThat(List.of(ids.get(sum2), ids.get(assigned2))).containsOnly(ids.get(w2));
    assertThat(ids.get(w)).isNotEqualTo(ids.get(w2));
    assertThat(NnvmGraphs.nops(graphs.graph(assigned2), plan)).containsExactly(2, 5);
  }

  @Test
  void variablesGetTheirIdsInOrderAfterThePlannedOnes() {
    int v = graphs.variable(8);
    int a = graphs.operator(8, v);
    int w = graphs.variable(8);
    int b = graphs.operator(8, a, w);
    assertThat(decorated(b).storageIds()).containsExactly(2, 0, 3, 1);
  }

  @Test
  void aGraphOfVariablesAloneStartsAtZero() {
    int v = graphs.variable(8);
    graphs.variable(8);
    assertThat(decorated(v).storageIds()).containsExactly(0, 1);
  }

  @Test
  void anIdMayEndUpUnused() {
    int w = graphs.variable(8);
    int sum = elementwise(w);
    int assigned = assign(w, sum);
    DecoratedPlan plan = decorated(assigned);
    assertThat(plan.storageIds()).containsExactly(2, 2, 2);
    assertThat(StorageSetup.of(graphs.graph(assigned), plan.storageIds()).blocks()).containsExactly(
      new StorageSetup.Block(0, StorageSetup.Block.NO_DEVICE),
      new StorageSetup.Block(0, StorageSetup.Block.NO_DEVICE), new StorageSetup.Block(8, 0));
  }

  @Test
  void aRightSideThatIsReadTwiceIsCopied() {
    int w = graphs.variable(8);
    int sum = elementwise(w);
    int assigned = assign(w, sum);
    assertThat(decorated(assigned, elementwise(sum)).flags()).containsExactly(NONE, NONE, COPY, NONE);
  }

  @Test
  void aRightSideThatIsAGraphOutputIsCopied() {
    int w = graphs.variable(8);
    int sum = elementwise(w);
    assertThat(decorated(assign(w, sum), sum).flags()).containsExactly(NONE, NONE, COPY);
  }

  @Test
  void aRightSideThatIsAVariableIsCopied() {
    int w = graphs.variable(8);
    int v = graphs.variable(8);
    DecoratedPlan plan = decorated(assign(w, v));
    assertThat(plan.flags()).containsExactly(NONE, NONE, COPY);
    assertThat(plan.storageIds()).containsExactly(1, 2, 1);
  }

  @Test
  void onlyElementwiseAndBroadcastingRightSidesGoWithoutACopy() {
    for (FusionPattern pattern : FusionPattern.values()) {
      var graph = new NnvmGraphs();
      int w = graph.variable(8);
      int product = graph.add(graph.node(8, w).withPattern(pattern));
      int assigned = graph.add(NnvmNode.assign("assign", w, product, NnvmGraphs.bytes(8)));
      boolean tame = pattern == FusionPattern.ELEMENTWISE || pattern == FusionPattern.BROADCAST;
      assertThat(AssignMarking.of(graph.graph(assigned)).get(2)).as("%s", pattern).isEqualTo(tame ? NOP : COPY);
    }
  }

  @Test
  void aReaderOfTheVariableBetweenRightSideAndAssignForcesACopy() {
    int w = graphs.variable(8);
    int sum = elementwise(w);
    int reader = graphs.operator(8, w);
    int assigned = assign(w, sum);
    assertThat(decorated(assigned, reader).flags()).containsExactly(NONE, NONE, NONE, COPY);
  }

  @Test
  void aReaderBeforeTheRightSideOrAfterTheAssignForcesNothing() {
    int w = graphs.variable(8);
    int before = graphs.operator(8, w);
    int sum = elementwise(w);
    int assigned = assign(w, sum);
    int after = graphs.operator(8, w);
    assertThat(decorated(before, assigned, after).flags().get(3)).isEqualTo(NOP);
  }

  @Test
  void aReaderOfAnEarlierAssignsResultIsAReaderOfTheVariable() {
    int w = graphs.variable(8);
    int u = graphs.variable(8);
    int assigned = assign(w, u);
    int sum = elementwise(u);
    int reader = graphs.operator(8, assigned);
    int again = assign(assigned, sum);
    assertThat(decorated(again, reader).flags().get(5)).isEqualTo(COPY);
  }

  @Test
  void anotherAssignToTheVariableInBetweenForcesACopy() {
    int w = graphs.variable(8);
    int v = graphs.variable(8);
    int first = elementwise(v);
    int second = elementwise(v);
    int assigned = assign(w, first);
    int again = assign(w, second);
    assertThat(decorated(assigned, again).flags()).as("or the first's copy would undo the second's early write")
      .containsExactly(NONE, NONE, NONE, NONE, NOP, COPY);
  }

  @Test
  void aRightSideThatIsAnAssignIsCopied() {
    int w = graphs.variable(8);
    int u = graphs.variable(8);
    int sum = elementwise(u);
    int inner = graphs.add(NnvmNode.assign("inner", u, sum, NnvmGraphs.bytes(8))
      .withPattern(FusionPattern.ELEMENTWISE));
    DecoratedPlan plan = decorated(assign(w, inner));
    assertThat(plan.flags()).containsExactly(NONE, NONE, NONE, NOP, COPY);
    assertThat(plan.storageIds().get(inner)).as("u is written after all").isEqualTo(plan.storageIds().get(u));
  }

  @Test
  void anIdentityOfAnAssignsResultIsNoNopSinceTheResultMoved() {
    int w = graphs.variable(8);
    int assigned = assign(w, elementwise(w));
    int alias = graphs.reshape(8, assigned);
    NnvmGraph graph = graphs.graph(alias);
    StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT);
    assertThat(plan.inPlaceIndex().get(alias)).isZero();
    DecoratedPlan decorated = decorated(alias);
    assertThat(decorated.storageIds().get(alias)).isNotEqualTo(decorated.storageIds().get(assigned));
    assertThat(NnvmGraphs.nops(graph, decorated)).containsExactly(2);
  }

  @Test
  void twoIdentitiesOfAnAssignsResultCannotBeDecorated() {
    int w = graphs.variable(8);
    int u = graphs.variable(8);
    int assigned = assign(w, u);
    int before = graphs.reshape(8, assigned);
    assign(assigned, elementwise(u));
    int after = graphs.reshape(8, assigned);
    assertThatThrownBy(() -> decorated(before, after)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("two identities");
  }

  @Test
  void whatIsNoVariableOrOfAnotherSizeCannotBeAssigned() {
    int w = graphs.variable(8);
    int a = graphs.operator(8, w);
    assign(a, w);
    assertThatThrownBy(() -> AssignMarking.of(graphs.graph(a))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("no variable").hasMessageContaining("assign0");
    var other = new NnvmGraphs();
    int v = other.variable(8);
    int wide = other.operator(9, v);
    other.add(NnvmNode.assign("wide", v, wide, NnvmGraphs.bytes(8)));
    assertThatThrownBy(() -> AssignMarking.of(other.graph(v))).hasMessageContaining("another type or size");
  }

  @Test
  void onlyPlansWhoseMemoryIsAllStaticAreDecorated() {
    int x = graphs.variable(8);
    int dynamic = graphs.add(NnvmNode.operator("d", List.of(x), List.of(NnvmEntry.ofUnknownShape(NnvmGraphs.BYTE))));
    assertThatThrownBy(() -> decorated(dynamic)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("notAllocated=1");
  }

  @Test
  void setUpTakesTheRealBytesOfTheBiggestEntryRoundedUpToFloats() {
    var packed = new ElementType("int4x3", 4, 3);
    int x = graphs.add(NnvmNode.variable("x", NnvmEntry.of(packed, 3)));
    NnvmGraph graph = graphs.graph(x);
    StorageSetup setup = StorageSetup.of(graph, List.of(0));
    assertThat(setup.blocks().getFirst().bytes()).as("12 bits are 2 bytes").isEqualTo(6);
    assertThat(setup.blocks().getFirst().floats()).isEqualTo(2);
    assertThat(setup.views()).containsExactly(new StorageSetup.View(0, packed, 3));
  }

  @Test
  void setUpRefusesWhatHasNoStorageAndTwoDevicesOnOne() {
    int w = graphs.variable(8);
    int other = graphs.add(graphs.node(8, w).onDevice(1));
    NnvmGraph graph = graphs.graph(other);
    assertThatThrownBy(() -> StorageSetup.of(graph, List.of(0, -1))).hasMessageContaining("storage=-1");
    assertThatThrownBy(() -> StorageSetup.of(graph, List.of(0, 0))).hasMessageContaining("two devices");
    assertThat(StorageSetup.of(graph, List.of(0, 1)).bytes()).isEqualTo(16);
  }
}
