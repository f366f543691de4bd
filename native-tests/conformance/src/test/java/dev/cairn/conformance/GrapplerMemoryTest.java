package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.remat.grappler.GrapplerGraph;
import dev.cairn.runtime.memory.remat.grappler.GrapplerMemory;
import dev.cairn.runtime.memory.remat.grappler.GrapplerNode;
import dev.cairn.runtime.memory.remat.grappler.GrapplerRecompute;
import dev.cairn.runtime.memory.remat.grappler.GrapplerRelax;
import dev.cairn.runtime.memory.remat.grappler.GrapplerSums;
import dev.cairn.runtime.memory.remat.grappler.GrapplerSwap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Swapping, sums and relaxed assigns by TensorFlow's rules, against what TensorFlow 2.21 itself made of its graphs. */
class GrapplerMemoryTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String RELAXED = "_grappler_relax_allocator_constraints";
  private static final Set<String> ACCUMULATED = Set.of("DT_HALF", "DT_FLOAT", "DT_DOUBLE", "DT_INT64");

  /** One test for each result of a mode. */
  private static Stream<DynamicTest> each(String mode, Check check) throws IOException {
    Path folder = SharedData.require("remat/grappler");
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        JsonNode facts = JSON.readTree(Files.readString(file));
        JsonNode expected = facts.get("modes").get(mode);
        if (expected != null && check.isFor(expected)) {
          tests.add(DynamicTest.dynamicTest(String.valueOf(file.getFileName()), () -> check.compare(facts, expected)));
        }
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  /** What is compared. */
  private interface Check {
    default boolean isFor(JsonNode expected) {
      return expected.has("added");
    }

    void compare(JsonNode facts, JsonNode expected);
  }

  @TestFactory
  Stream<DynamicTest> swapsAsTensorFlowDoes() throws IOException {
    return each("SWAPPING_HEURISTICS", (facts, expected) -> {
      GrapplerGraph before = graph(facts);
      var swap = new GrapplerSwap(memory(facts, before));
      List<GrapplerSwap.Mark> marks = new ArrayList<>(marksByHand(facts));
      marks.addAll(swap.marks(before));
      assertThat(inputsByNode(marks)).as("marks").isEqualTo(inputsByNode(marks(expected)));
      assertThat(inputs(swap.apply(before, marks(expected)))).isEqualTo(wanted(before, expected));
    });
  }

  @TestFactory
  Stream<DynamicTest> swapsWhatIsMarkedByHand() throws IOException {
    return each("MANUAL", new Check() {
      @Override
      public boolean isFor(JsonNode expected) {
        return expected.has("marks");
      }

      @Override
      public void compare(JsonNode facts, JsonNode expected) {
        GrapplerGraph before = new GrapplerRecompute(false, GrapplerRecompute.GRADIENTS, new HashSet<>(texts(facts.get(
          "feed")))).apply(graph(facts));
        assertThat(inputs(new GrapplerSwap(memory(facts, before)).apply(before, marks(expected)))).isEqualTo(wanted(
          before, expected));
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> rewritesSumsAsTensorFlowDoes() throws IOException {
    return each("SCHEDULING_HEURISTICS", (facts, expected) -> {
      GrapplerGraph before = graph(facts);
      Map<String, String> types = new HashMap<>();
      facts.get("before").forEach(node -> {
        if (node.size() > 4 && node.get(4).has("T")) {
          types.put(node.get(0).asString(), node.get(4).get("T").asString());
        }
      });
      var sums = new GrapplerSums(memory(facts, before), name -> {
        JsonNode shape = facts.get("addn_shapes").get(name);
        return shape != null && shape.isArray() && ACCUMULATED.contains(types.getOrDefault(name, "")) && shape
          .valueStream().allMatch(it -> it.asLong() >= 0);
      });
      assertThat(inputs(sums.apply(before))).isEqualTo(wanted(before, expected));
    });
  }

  @TestFactory
  Stream<DynamicTest> relaxesAssignsAsTensorFlowDoes() throws IOException {
    return each("MANUAL", (facts, expected) -> {
      Set<String> relaxed = new TreeSet<>();
      expected.get("changed").forEach(node -> {
        if (node.size() > 4 && node.get(4).has(RELAXED)) {
          relaxed.add(node.get(0).asString());
        }
      });
      assertThat(new TreeSet<>(GrapplerRelax.of(graph(facts)))).isEqualTo(relaxed);
    });
  }

  private static Map<String, List<Integer>> inputsByNode(List<GrapplerSwap.Mark> marks) {
    Map<String, List<Integer>> inputs = new TreeMap<>();
    marks.forEach(it -> inputs.merge(it.node(), it.inputs(), (some, more) -> Stream.concat(some.stream(), more.stream())
      .toList()));
    return inputs;
  }

  private static List<GrapplerSwap.Mark> marksByHand(JsonNode facts) {
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

  private static List<GrapplerSwap.Mark> marks(JsonNode expected) {
    List<GrapplerSwap.Mark> marks = new ArrayList<>();
    expected.path("marks").forEach(mark -> marks.add(new GrapplerSwap.Mark(mark.get(0).asString(), mark.get(1)
      .valueStream().map(JsonNode::asInt).toList())));
    return marks;
  }

  private static GrapplerMemory memory(JsonNode facts, GrapplerGraph graph) {
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
    return new GrapplerMemory(devices, ends, completions(facts, graph), bytes, new HashSet<>(texts(facts.get(
      "reference_outputs"))));
  }

  /** A node begins when its last input is there, a merge with its first; each takes its estimate, 1 ns at least. */
  private static Map<String, Long> completions(JsonNode facts, GrapplerGraph graph) {
    Map<String, Long> done = new HashMap<>();
    for (GrapplerNode node : graph.sorted().nodes()) {
      JsonNode estimate = facts.get("estimates_ns").get(node.name());
      List<Long> known = node.inputs().stream().map(it -> done.get(it.replaceAll("^\\^|:\\d+$", ""))).filter(
        Objects::nonNull).toList();
      long begins = node.op().equals("Merge")
        ? known.stream().mapToLong(Long::longValue).min().orElse(0)
        : known.stream().mapToLong(Long::longValue).max().orElse(0);
      done.put(node.name(), begins + Math.max(1, estimate == null ? 0 : estimate.asLong()));
    }
    return done;
  }

  private static Map<String, List<String>> wanted(GrapplerGraph before, JsonNode expected) {
    Map<String, List<String>> wanted = inputs(before);
    expected.get("added").forEach(node -> wanted.put(node.get(0).asString(), sorted(texts(node.get(2)))));
    expected.get("changed").forEach(node -> wanted.put(node.get(0).asString(), sorted(texts(node.get(2)))));
    return wanted;
  }

  /** Values in their order, then what is waited for: upstream has that in the order of hashed marks. */
  private static List<String> sorted(List<String> inputs) {
    return Stream.concat(inputs.stream().filter(it -> !it.startsWith("^")), inputs.stream().filter(it -> it.startsWith(
      "^")).sorted()).toList();
  }

  private static GrapplerGraph graph(JsonNode facts) {
    List<GrapplerNode> nodes = new ArrayList<>();
    facts.get("before").forEach(node -> nodes.add(new GrapplerNode(node.get(0).asString(), node.get(1).asString(),
      texts(node.get(2)), facts.get("device_names").get(node.get(3).asInt()).asString(),
      node.size() > 4 ? new HashSet<>(node.get(4).propertyNames()) : Set.of())));
    return new GrapplerGraph(nodes);
  }

  private static Map<String, List<String>> inputs(GrapplerGraph graph) {
    Map<String, List<String>> inputs = new TreeMap<>();
    graph.nodes().forEach(node -> inputs.put(node.name(), sorted(node.inputs())));
    return inputs;
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }
}
