package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.remat.grappler.GrapplerGraph;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Recomputation by TensorFlow's rules, against what TensorFlow 2.21 itself made of 52 graphs. */
class GrapplerResultsTest {
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
}
