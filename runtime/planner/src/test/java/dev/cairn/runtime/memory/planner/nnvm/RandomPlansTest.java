package dev.cairn.runtime.memory.planner.nnvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.PlanValidator;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random graphs, judged by three who share no code with the planner: a naive twin, a simulated run, the validator. */
class RandomPlansTest {
  /** In each build; the others are among the long tests. */
  private static final int SOME = 300;
  private static final int MANY = 3_000;
  private static final List<InPlaceRule> RULES = List.of(InPlaceRule.values());

  private static NnvmOptions options(long seed) {
    var random = new Random(~seed);
    InPlaceRule rule = RULES.get(random.nextInt(RULES.size()));
    NnvmOptions options = NnvmOptions.DEFAULT.withMatchRange(random.nextInt(4) == 0 ? random.nextInt(20) : 16)
      .withColours(1 + random.nextInt(3)).withInPlaceRule(rule);
    return random.nextInt(4) == 0 ? options.withFourByteElements() : options;
  }

  @Test
  void theNaiveTwinGivesTheSamePlanToTheBit() {
    requireTwin(0, SOME);
  }

  @Test
  @Tag("long")
  void theNaiveTwinGivesTheSamePlanOfThousandsOfGraphs() {
    requireTwin(SOME, MANY);
  }

  private static void requireTwin(int from, int to) {
    int shared = 0;
    int grown = 0;
    for (long seed = from; seed < to; seed++) {
      NnvmGraph graph = RandomNnvmGraphs.seeded(seed, true);
      NnvmOptions options = options(seed);
      StoragePlan plan = PlanMemory.plan(graph, options);
      assertThat(plan).as("seed %d", seed).isEqualTo(new NaivePlanMemory(graph, options, options.matchRange()).plan());
      shared += (int) plan.inPlaceIndex().stream().filter(index -> index >= 0).count();
      grown += (int) plan.storageIds().stream().filter(id -> id >= 0).count() - plan.storageBytes().size();
    }
    assertThat(shared).as("in place").isGreaterThan(to - from);
    assertThat(grown).as("reused").isGreaterThan(to - from);
  }

  @Test
  void partOfAGraphIsPlannedAsByTheNaiveTwin() {
    for (long seed = 0; seed < 150; seed++) {
      var random = new Random(seed);
      NnvmGraph whole = RandomNnvmGraphs.seeded(seed, true);
      int first = random.nextInt(whole.nodes().size());
      NnvmGraph graph = whole.withNodeRange(first, first + random.nextInt(whole.nodes().size() - first + 1));
      assertThat(PlanMemory.plan(graph, NnvmOptions.DEFAULT)).as("seed %d", seed)
        .isEqualTo(new NaivePlanMemory(graph, NnvmOptions.DEFAULT, 16).plan());
    }
  }

  @Test
  void autoSearchIsTheFirstBestOfTheNaiveTwinsPlansAndNeverWorseThanRange16() {
    for (long seed = 0; seed < 80; seed++) {
      NnvmGraph graph = RandomNnvmGraphs.seeded(seed, true);
      StoragePlan best = LongStream.of(1, 2, 4, 8, 16)
        .mapToObj(range -> new NaivePlanMemory(graph, NnvmOptions.DEFAULT, range).plan())
        .min(Comparator.comparingLong(StoragePlan::allocatedBytes)).orElseThrow();
      StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT.withAutoSearch());
      assertThat(plan).as("seed %d", seed).isEqualTo(best);
      assertThat(plan.allocatedBytes())
        .isLessThanOrEqualTo(PlanMemory.plan(graph, NnvmOptions.DEFAULT).allocatedBytes());
    }
  }

  @Test
  void everyNodeFindsInEachStorageWhatItReads() {
    simulate(0, SOME);
  }

  @Test
  @Tag("long")
  void everyNodeOfThousandsOfGraphsFindsInEachStorageWhatItReads() {
    simulate(SOME, MANY);
  }

  private static void simulate(int from, int to) {
    for (long seed = from; seed < to; seed++) {
      NnvmGraph graph = RandomNnvmGraphs.seeded(seed, true);
      simulate("seed " + seed, graph, PlanMemory.plan(graph, options(seed)));
    }
  }

  /** Runs the plan with names for values: an identity's output has its input's name, every other its own. */
  private static void simulate(String what, NnvmGraph graph, StoragePlan plan) {
    Map<Integer, Integer> contents = new HashMap<>();
    int[] value = new int[graph.entryCount()];
    for (int n = 0; n < graph.nodes().size(); n++) {
      NnvmNode node = graph.node(n);
      for (int position = 0; position < node.inputs().size(); position++) {
        if (!node.traits().ignoredInputs().contains(position)) {
          requireThere(what, plan, contents, value, node.inputs().get(position));
        }
      }
      for (int i = 0; i < node.outputs().size(); i++) {
        int out = graph.firstEntryId(n) + i;
        value[out] = valueOf(node, i, out, value);
        requireOnlyItsInputIsOverwritten(what, node, plan, value, out);
        contents.put(plan.storageIds().get(out), value[out]);
      }
      for (int i = 0; i < node.outputs().size(); i++) {
        requireThere(what + ", written over by a sibling", plan, contents, value, graph.firstEntryId(n) + i);
      }
    }
    graph.outputs().forEach(entry -> requireThere(what + ", at the end", plan, contents, value, entry));
  }

  private static int valueOf(NnvmNode node, int output, int entry, int[] value) {
    return node.traits().inPlace().stream().filter(pair -> pair.identity() && pair.output() == output)
      .map(pair -> value[node.inputs().get(pair.input())]).findFirst().orElse(entry);
  }

  private static void requireThere(String what, StoragePlan plan, Map<Integer, Integer> contents, int[] value,
    int entry) {
    int id = plan.storageIds().get(entry);
    assertThat(id < 0 || contents.getOrDefault(id, -1) == value[entry])
      .as("%s: entry %d in storage %d", what, entry, id).isTrue();
  }

  private static void requireOnlyItsInputIsOverwritten(String what, NnvmNode node, StoragePlan plan, int[] value,
    int out) {
    int id = plan.storageIds().get(out);
    for (int position = 0; position < node.inputs().size() && id >= 0; position++) {
      int in = node.inputs().get(position);
      boolean harmless = node.traits().ignoredInputs().contains(position) || value[in] == value[out]
        || plan.inPlaceIndex().get(out) == position;
      assertThat(harmless || plan.storageIds().get(in) != id).as("%s: entry %d over %d", what, out, in).isTrue();
    }
  }

  @Test
  void theValidatorFindsNoFaultInTheCommonForm() {
    requireValid(0, SOME);
  }

  @Test
  @Tag("long")
  void theValidatorFindsNoFaultInTheCommonFormOfThousandsOfGraphs() {
    requireValid(SOME, MANY);
  }

  private static void requireValid(int from, int to) {
    for (long seed = from; seed < to; seed++) {
      NnvmGraph graph = RandomNnvmGraphs.seeded(seed, true);
      StoragePlan plan = PlanMemory.plan(graph, options(seed).withInPlaceRule(InPlaceRule.EQUAL_TYPE));
      PooledStorages pooled = PooledStorages.of(graph, plan);
      assertThat(PlanValidator.validate(pooled.problem(), pooled.plan())).as("seed %d", seed).isEmpty();
      assertThat(pooled.plan().peakBytes()).isGreaterThanOrEqualTo(LowerBound.of(pooled.problem()).bytes());
      if (!options(seed).fourByteElements()) {
        assertThat(pooled.plan().peakBytes()).isEqualTo(plan.allocatedBytes());
      }
      assertThat(pooled.bufferOf().stream().map(index -> index >= 0)).as("seed %d", seed).isEqualTo(plan.storageIds()
        .stream().map(id -> id >= 0).toList());
    }
  }

  @Test
  void theValidatorFindsAFaultWhenTwoLiveStoragesAreMadeOne() {
    NnvmGraph graph = NnvmGraphs.chain(false, 8, 8, 8);
    StoragePlan plan = PlanMemory.plan(graph, NnvmOptions.DEFAULT);
    var wrong = new StoragePlan(List.of(-1, 0, 0), plan.inPlaceIndex(), plan.storageBytes(), 0, 16);
    PooledStorages pooled = PooledStorages.of(graph, wrong);
    assertThat(PlanValidator.validate(pooled.problem(), pooled.plan())).hasSize(1);
  }
}
