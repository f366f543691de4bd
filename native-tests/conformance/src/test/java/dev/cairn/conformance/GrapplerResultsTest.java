package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.remat.grappler.GrapplerGraph;
import dev.cairn.runtime.memory.remat.grappler.GrapplerNode;
import dev.cairn.runtime.memory.remat.grappler.GrapplerRecompute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recomputation by TensorFlow's rules, against what TensorFlow 2.21 itself made of 52 graphs. */
class GrapplerResultsTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** The modes of upstream that only recompute. */
  private static final Map<String, Boolean> CHEAP = Map.of("MANUAL", false, "RECOMPUTATION_HEURISTICS", true);

  @TestFactory
  Stream<DynamicTest> recomputesAsTensorFlowDoes() throws IOException {
    Path folder = SharedData.require("remat/grappler");
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        JsonNode facts = JSON.readTree(Files.readString(file));
        CHEAP.forEach((mode, cheap) -> {
          JsonNode expected = facts.get("modes").get(mode);
          if (expected != null && !expected.has("marks") && !expected.path("order_matters").asBoolean()) {
            tests.add(DynamicTest.dynamicTest(file.getFileName() + " " + mode, () -> compare(facts, expected, cheap)));
          }
        });
      }
    }
    assertThat(tests).hasSizeGreaterThan(60);
    return tests.stream();
  }

  private static void compare(JsonNode facts, JsonNode expected, boolean cheap) {
    GrapplerGraph before = graph(facts);
    Map<String, List<String>> wanted = inputs(before);
    expected.get("added").forEach(node -> wanted.put(node.get(0).asString(), texts(node.get(2))));
    expected.get("changed").forEach(node -> wanted.put(node.get(0).asString(), texts(node.get(2))));

    String scope = facts.get("options").get("memory_optimizer_target_node_name_scope").asString();
    Set<String> fed = new HashSet<>(texts(facts.get("feed")));
    GrapplerGraph after = new GrapplerRecompute(cheap, scope.isEmpty() ? GrapplerRecompute.GRADIENTS : scope, fed)
      .apply(before);

    assertThat(inputs(after)).isEqualTo(wanted);
    assertThat(after.nodes()).hasSize(expected.get("nodes").asInt());
  }

  private static GrapplerGraph graph(JsonNode facts) {
    List<GrapplerNode> nodes = new ArrayList<>();
    facts.get("before").forEach(node -> nodes.add(new GrapplerNode(node.get(0).asString(), node.get(1).asString(),
      texts(node.get(2)), facts.get("device_names").get(node.get(3).asInt()).asString(),
      node.size() > 4 ? new HashSet<>(node.get(4).propertyNames()) : Set.of())));
    return new GrapplerGraph(nodes);
  }

  private static Map<String, List<String>> inputs(GrapplerGraph graph) {
    Map<String, List<String>> inputs = new LinkedHashMap<>();
    graph.nodes().forEach(node -> inputs.put(node.name(), node.inputs()));
    return inputs;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }
}
