package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.grappler.GrapplerGraph;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerMemory;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerNode;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerRecompute;
import dev.cairn.runtime.memory.recompute.grappler.GrapplerSwap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A graph that TensorFlow 2.21's memory optimizer was given, what is known of it, and what one mode made of it.
 *
 * @param facts of the graph
 * @param expected what the mode added and changed
 */
record GrapplerFacts(JsonNode facts, JsonNode expected) {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Set<String> ACCUMULATED = Set.of("DT_HALF", "DT_FLOAT", "DT_DOUBLE", "DT_INT64");

  /** What is compared. */
  interface Check {
    void compare(GrapplerFacts facts);
  }

  /** One test for each result of a mode that is wanted. */
  static Stream<DynamicTest> each(String mode, Predicate<JsonNode> wanted, Check check) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(SharedData.require("remat/grappler"))) {
      for (Path file : files.sorted().toList()) {
        JsonNode facts = JSON.readTree(Files.readString(file));
        JsonNode expected = facts.get("modes").get(mode);
        if (expected != null && wanted.test(expected)) {
          tests.add(DynamicTest.dynamicTest(file.getFileName() + " " + mode, () -> check.compare(new GrapplerFacts(
            facts, expected))));
        }
      }
    }
    assertThat(tests).as(mode).isNotEmpty();
    return tests.stream();
  }

  /** The graph before. */
  GrapplerGraph graph() {
    List<GrapplerNode> nodes = new ArrayList<>();
    facts.get("before").forEach(node -> nodes.add(new GrapplerNode(node.get(0).asString(), node.get(1).asString(),
      texts(node.get(2)), facts.get("device_names").get(node.get(3).asInt()).asString(),
      node.size() > 4 ? new HashSet<>(node.get(4).propertyNames()) : Set.of())));
    return new GrapplerGraph(nodes);
  }

  /** @param cheap whether cheap operators run again without a hint */
  GrapplerRecompute recompute(boolean cheap) {
    String scope = facts.get("options").get("memory_optimizer_target_node_name_scope").asString();
    return new GrapplerRecompute(cheap, scope.isEmpty() ? GrapplerRecompute.GRADIENTS : scope, new HashSet<>(texts(facts
      .get("feed"))));
  }

  /** The nodes' inputs after the mode. */
  Map<String, List<String>> wanted() {
    Map<String, List<String>> wanted = inputs(graph());
    expected.get("added").forEach(node -> wanted.put(node.get(0).asString(), sorted(texts(node.get(2)))));
    expected.get("changed").forEach(node -> wanted.put(node.get(0).asString(), sorted(texts(node.get(2)))));
    return wanted;
  }

  /** The same with what was swapped read where it was made, as before. */
  Map<String, List<String>> wantedWithoutSwaps() {
    Map<String, List<String>> wanted = wanted();
    Map<String, String> sources = new HashMap<>();
    wanted.forEach((name, inputs) -> {
      if (name.startsWith("swap_in_")) {
        sources.put(name, wanted.getOrDefault(inputs.getFirst(), List.of("")).getFirst());
      }
    });
    Map<String, List<String>> without = new TreeMap<>();
    wanted.forEach((name, inputs) -> {
      if (!name.startsWith("swap_in_") && !name.startsWith("swap_out_")) {
        without.put(name, inputs.stream().filter(it -> !it.startsWith("^swap_out_")).map(it -> sources.getOrDefault(it,
          it)).toList());
      }
    });
    return without;
  }

  static Map<String, List<String>> inputs(GrapplerGraph graph) {
    Map<String, List<String>> inputs = new TreeMap<>();
    graph.nodes().forEach(node -> inputs.put(node.name(), sorted(node.inputs())));
    return inputs;
  }

  /** Values in their order, then what is waited for: upstream has that in the order of hashed marks. */
  private static List<String> sorted(List<String> inputs) {
    return Stream.concat(inputs.stream().filter(it -> !it.startsWith("^")), inputs.stream().filter(it -> it.startsWith(
      "^")).sorted()).toList();
  }

  /** Whether a sum's shape is known and its type can be accumulated. */
  boolean isKnownSum(String name) {
    JsonNode shape = facts.get("addn_shapes").get(name);
    boolean isAccumulated = facts.get("before").valueStream().anyMatch(node -> node.get(0).asString().equals(name)
      && ACCUMULATED.contains(node.path(4).path("T").asString("")));
    return isAccumulated && shape != null && shape.isArray() && shape.valueStream().allMatch(it -> it.asLong() >= 0);
  }

  List<GrapplerSwap.Mark> marksByHand() {
    List<GrapplerSwap.Mark> marks = new ArrayList<>();
    facts.get("before").forEach(node -> {
      JsonNode marked = node.path(4).path("_swap_to_host");
      List<Integer> inputs = marked.isArray()
        ? marked.valueStream().map(JsonNode::asInt).toList()
        : marked.isNumber() ? List.of(marked.asInt()) : List.of();
      if (!inputs.isEmpty()) {
        marks.add(new GrapplerSwap.Mark(node.get(0).asString(), inputs));
      }
    });
    return marks;
  }

  /** The marks of the mode, in the order that gives its result. */
  List<GrapplerSwap.Mark> marks() {
    List<GrapplerSwap.Mark> marks = new ArrayList<>();
    expected.path("marks").forEach(mark -> marks.add(new GrapplerSwap.Mark(mark.get(0).asString(), mark.get(1)
      .valueStream().map(JsonNode::asInt).toList())));
    return marks;
  }

  /** @param graph whose nodes' completions are wanted */
  GrapplerMemory memory(GrapplerGraph graph) {
    Map<String, GrapplerMemory.Device> devices = new HashMap<>();
    for (JsonNode device : facts.get("devices")) {
      String name = device.get("name").asString();
      List<GrapplerMemory.Live> live = new ArrayList<>();
      facts.get("peaks").path(name).path("live").forEach(it -> live.add(new GrapplerMemory.Live(it.get(0).asString(), it
        .get(1).asInt(), it.get(2).asLong(), it.get(3).asLong(), it.get(4).asLong())));
      var known = new GrapplerMemory.Device(device.get("type").asString().equals("GPU"), device.get("memory").asLong(),
        facts.get("peaks").path(name).path("bytes").asLong(), live);
      facts.get("device_names").forEach(it -> {
        if (it.asString().toLowerCase(Locale.ROOT).replace("device:", "").equals(name)) {
          devices.put(it.asString(), known);
        }
      });
    }
    Map<String, Long> ends = new HashMap<>();
    Map<String, List<Long>> bytes = new HashMap<>();
    facts.get("timeline").forEach(node -> {
      ends.put(node.get(0).asString(), node.get(2).asLong() * 1000 + 1);
      bytes.put(node.get(0).asString(), node.get(3).valueStream().map(JsonNode::asLong).toList());
    });
    Map<String, Long> estimates = new HashMap<>();
    facts.get("estimates_ns").properties().forEach(it -> estimates.put(it.getKey(), it.getValue().asLong()));
    return new GrapplerMemory(devices, ends, GrapplerMemory.completions(graph, estimates), bytes, new HashSet<>(texts(
      facts.get("reference_outputs"))));
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }
}
