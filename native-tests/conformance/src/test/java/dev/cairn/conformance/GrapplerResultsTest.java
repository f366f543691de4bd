package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.grappler.GrapplerGraph;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerRelax;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerSums;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerSwap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Recomputation, swapping, sums and relaxed assigns by TensorFlow's rules, against what TensorFlow 2.21 itself made of
 * 52 graphs.
 */
class GrapplerResultsTest {
  private static final String RELAXED = "_grappler_relax_allocator_constraints";

  private static final String VARIABLE = "/tmp_var";

  private static boolean isPlain(JsonNode expected) {
    return !expected.has("marks") && !expected.path("order_matters").asBoolean();
  }

  @TestFactory
  Stream<DynamicTest> recomputesAsTensorFlowDoes() throws IOException {
    List<DynamicTest> tests = Stream.concat(GrapplerFacts.each("MANUAL", GrapplerResultsTest::isPlain, it -> compare(it,
      false)), GrapplerFacts.each("RECOMPUTATION_HEURISTICS", GrapplerResultsTest::isPlain, it -> compare(it, true)))
      .toList();
    assertThat(tests).hasSizeGreaterThan(60);
    return tests.stream();
  }

  private static void compare(GrapplerFacts facts, boolean cheap) {
    GrapplerGraph after = facts.recompute(cheap).apply(facts.graph());
    assertThat(GrapplerFacts.inputs(after)).isEqualTo(facts.wanted());
    assertThat(after.nodes()).hasSize(facts.expected().get("nodes").asInt());
  }

  private static boolean hasResult(JsonNode expected) {
    return expected.has("added");
  }

  @TestFactory
  Stream<DynamicTest> swapsAsTensorFlowDoes() throws IOException {
    return GrapplerFacts.each("SWAPPING_HEURISTICS", GrapplerResultsTest::hasResult, facts -> {
      GrapplerGraph before = facts.graph();
      var swap = new GrapplerSwap(facts.memory(before));
      List<GrapplerSwap.Mark> marks = new ArrayList<>(facts.marksByHand());
      marks.addAll(swap.marks(before));
      assertThat(inputsByNode(marks)).as("marks").isEqualTo(inputsByNode(facts.marks()));
      assertThat(GrapplerFacts.inputs(swap.apply(before, facts.marks()))).isEqualTo(facts.wanted());
    });
  }

  @TestFactory
  Stream<DynamicTest> swapsWhatIsMarkedByHand() throws IOException {
    return GrapplerFacts.each("MANUAL", expected -> expected.has("marks"), facts -> {
      GrapplerGraph before = facts.recompute(false).apply(facts.graph());
      assertThat(GrapplerFacts.inputs(new GrapplerSwap(facts.memory(before)).apply(before, facts.marks()))).isEqualTo(
        facts.wanted());
    });
  }

  @TestFactory
  Stream<DynamicTest> rewritesSumsAsTensorFlowDoes() throws IOException {
    return GrapplerFacts.each("SCHEDULING_HEURISTICS", GrapplerResultsTest::hasResult, facts -> {
      GrapplerGraph before = facts.graph();
      assertThat(GrapplerFacts.inputs(new GrapplerSums(facts.memory(before), facts::isKnownSum).apply(before)))
        .isEqualTo(facts.wanted());
    });
  }

  /**
   * All passes together. What is swapped, and which sums wait at the peak, then follows from a simulated run of the
   * rewritten graph, which is not among the facts: swaps, and sums that only one side rewrites, are left out of the
   * comparison. Upstream waits for a node once here.
   */
  @TestFactory
  Stream<DynamicTest> heuristicsRecomputeAndThenRewriteSums() throws IOException {
    return GrapplerFacts.each("HEURISTICS", GrapplerResultsTest::hasResult, facts -> {
      GrapplerGraph recomputed = facts.recompute(true).apply(facts.graph());
      Map<String, List<String>> found = GrapplerFacts.inputs(new GrapplerSums(facts.memory(recomputed),
        facts::isKnownSum).apply(recomputed));
      Map<String, List<String>> wanted = facts.wantedWithoutSwaps();
      Set<String> unlike = new TreeSet<>(found.keySet());
      unlike.removeIf(it -> found.containsKey(it + VARIABLE) == wanted.containsKey(it + VARIABLE));
      assertThat(without(unlike, found)).isEqualTo(without(unlike, wanted));
    });
  }

  private static Map<String, List<String>> without(Set<String> sums, Map<String, List<String>> inputs) {
    Map<String, List<String>> left = new TreeMap<>();
    inputs.forEach((name, of) -> {
      if (!sums.contains(name.replaceAll(VARIABLE + ".*", ""))) {
        left.put(name, of.stream().distinct().toList());
      }
    });
    return left;
  }

  @TestFactory
  Stream<DynamicTest> relaxesAssignsAsTensorFlowDoes() throws IOException {
    return GrapplerFacts.each("MANUAL", GrapplerResultsTest::hasResult, facts -> {
      Set<String> relaxed = new TreeSet<>();
      facts.expected().get("changed").forEach(node -> {
        if (node.path(4).has(RELAXED)) {
          relaxed.add(node.get(0).asString());
        }
      });
      assertThat(new TreeSet<>(GrapplerRelax.of(facts.graph()))).isEqualTo(relaxed);
    });
  }

  private static Map<String, List<Integer>> inputsByNode(List<GrapplerSwap.Mark> marks) {
    Map<String, List<Integer>> inputs = new TreeMap<>();
    marks.forEach(it -> inputs.merge(it.node(), it.inputs(), (some, more) -> Stream.concat(some.stream(), more.stream())
      .toList()));
    return inputs;
  }
}
