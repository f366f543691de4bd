package dev.cairn.runtime.memory.recompute.grappler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of TensorFlow's memory optimizer for swaps, sums and relaxed assigns, with the times of its cluster. */
class GrapplerMemoryCasesTest {
  private static final String CPU = "/job:localhost/replica:0/task:0/device:CPU:0";
  private static final String GPU = "/job:localhost/replica:0/task:0/device:GPU:0";
  private static final long MEBIBYTE = 1 << 20;
  private static final long BYTES = 128 * 128 * 8 * 4;

  private final List<GrapplerNode> nodes = new ArrayList<>();
  private final List<GrapplerMemory.Live> live = new ArrayList<>();
  private final Map<String, Long> ends = new HashMap<>();
  private final Map<String, Long> estimates = new HashMap<>();
  private final Map<String, List<Long>> sizes = new HashMap<>();

  private GrapplerMemoryCasesTest node(String device, String name, String op, String... inputs) {
    nodes.add(new GrapplerNode(name, op, List.of(inputs), device, Set.of()));
    return this;
  }

  /** A node of the timeline: when it ends, and what it is taken to last, in µs. */
  private GrapplerMemoryCasesTest ran(String name, long endMicros, long estimate, long bytes) {
    ends.put(name, endMicros * 1000 + 1);
    estimates.put(name, estimate * 1000);
    sizes.put(name, List.of(bytes));
    return this;
  }

  private GrapplerMemoryCasesTest lives(String name, long bytes, long fromMicros, long toMicros) {
    live.add(new GrapplerMemory.Live(name, 0, bytes, fromMicros * 1000, toMicros * 1000 + 1));
    return this;
  }

  private GrapplerMemory memory(String device, long peak, String... references) {
    return new GrapplerMemory(Map.of(device, new GrapplerMemory.Device(device.equals(GPU), MEBIBYTE, peak, live)), ends,
      GrapplerMemory.completions(new GrapplerGraph(nodes), estimates), sizes, Set.of(references));
  }

  private static String inputs(GrapplerGraph graph, String name) {
    return graph.nodes().stream().filter(it -> it.name().equals(name)).map(it -> String.join(", ", it.inputs()))
      .findFirst().orElseThrow();
  }

  @Test
  void t5SimpleSwapping() {
    node(GPU, "a", "VariableV2").node(GPU, "b", "AddN", "a").node(GPU, "c", "AddN", "b").node(GPU, "d", "AddN", "c")
      .node(GPU, "e", "AddN", "b", "d").node(GPU, "constant", "Const").node(GPU, "init", "Assign", "a", "constant");
    ran("a", 0, 0, 400).ran("b", 6250, 6250, 400).ran("c", 12500, 6250, 400).ran("d", 18750, 6250, 400).ran("e", 28125,
      9375, 400);
    GrapplerGraph graph = new GrapplerGraph(nodes).sorted();
    assertThat(graph.nodes()).extracting(GrapplerNode::name).containsExactly("a", "constant", "b", "init", "c", "d",
      "e");
    var swap = new GrapplerSwap(memory(GPU, 1200, "a", "init"));
    List<GrapplerSwap.Mark> marks = List.of(new GrapplerSwap.Mark("e", List.of(0)));
    GrapplerGraph swapped = swap.apply(graph, marks);
    assertThat(swapped.nodes()).hasSize(9);
    assertThat(swapped.nodes().get(7)).satisfies(it -> assertThat(it.name() + " " + it.op() + it.inputs()).isEqualTo(
      "swap_out_e_0 _CopyFromGpuToHost[b]"));
    assertThat(swapped.nodes().get(8)).satisfies(it -> assertThat(it.name() + " " + it.op() + it.inputs()).isEqualTo(
      "swap_in_e_0 _CopyFromHostToGpu[swap_out_e_0, ^c]"));
    assertThat(inputs(swapped, "e")).isEqualTo("swap_in_e_0, d");
    assertThat(inputs(swapped, "c")).isEqualTo("b, ^swap_out_e_0");
    assertThat(swap.apply(swapped, marks).nodes()).as("again: nothing more").hasSize(9);
  }

  @Test
  void t6SwappingHeuristics() {
    node(GPU, "v", "VariableV2").node(GPU, "a", "Identity", "v").node(GPU, "b", "Square", "v").node(GPU, "c", "Sqrt",
      "a").node(GPU, "d", "Identity", "b").node(GPU, "axis", "Const").node(GPU, "e", "ConcatV2", "a", "b", "c", "d",
        "axis")
      .node(GPU, "f", "Square", "a").node(GPU, "g", "Sqrt", "b").node(GPU, "h", "Exp", "c").node(GPU, "i",
        "Log", "d");
    ran("axis", 0, 0, 4).ran("v", 0, 0, BYTES).ran("a", 0, 0, BYTES).ran("b", 8_192_000, 8_192_000, BYTES).ran("c",
      16_384_000, 8_192_000, BYTES).ran("f", 24_576_000, 8_192_000, BYTES).ran("d", 24_576_000, 0, BYTES).ran("g",
        32_768_000, 8_192_000, BYTES)
      .ran("h", 40_960_002, 8_192_001, BYTES).ran("e", 73_728_033, 32_768_031, 4 * BYTES)
      .ran("i", 81_920_035, 8_192_002, BYTES);
    lives("a", BYTES, 0, 73_728_033).lives("axis", 4, 0, 73_728_033).lives("b", BYTES, 0, 73_728_033).lives("c", BYTES,
      8_192_000, 73_728_033).lives("d", BYTES, 24_576_000, 81_920_035).lives("e", 4 * BYTES, 40_960_002, 73_728_033)
      .lives("h", BYTES, 32_768_000, 40_960_002);
    GrapplerGraph graph = new GrapplerGraph(nodes);
    var swap = new GrapplerSwap(memory(GPU, 4_718_596, "v"));
    GrapplerGraph swapped = swap.apply(graph, swap.marks(graph));
    assertThat(swapped.nodes()).hasSize(17);
    assertThat(inputs(swapped, "e")).isEqualTo("a, swap_in_e_1, swap_in_e_2, swap_in_e_3, axis");
    assertThat(inputs(swapped, "swap_in_e_1")).isEqualTo("swap_out_e_1, ^a");
    assertThat(inputs(swapped, "d")).isEqualTo("b, ^swap_out_e_1");
    assertThat(inputs(swapped, "h")).isEqualTo("c, ^swap_out_e_2");
    assertThat(inputs(swapped, "i")).isEqualTo("d, ^swap_out_e_3");
  }

  @Test
  void t7UnswappableInputs() {
    node(GPU, "v", "VariableV2").node(GPU, "a", "Square", "v").node(GPU, "b", "Identity", "a").node(GPU, "c",
      "Identity", "a").node(GPU, "index", "Const").node(GPU, "indices/multiples", "Const").node(GPU, "indices", "Tile",
        "index", "indices/multiples")
      .node(GPU, "d", "ScatterAdd", "v", "indices", "c").node(GPU, "axis", "Const").node(
        GPU, "e", "ConcatV2", "b", "c", "d", "axis");
    ran("axis", 0, 0, 4).ran("index", 0, 0, 4).ran("indices/multiples", 0, 0, 4).ran("v", 0, 0, BYTES).ran("indices",
      4062, 4062, 512).ran("a", 8_196_062, 8_192_000, BYTES).ran("b", 8_196_062, 0, BYTES).ran("c", 8_196_062, 0, BYTES)
      .ran("d", 20_488_062, 12_292_000, BYTES).ran("e", 45_064_093, 24_576_031, 3 * BYTES);
    GrapplerGraph graph = new GrapplerGraph(nodes);
    var swap = new GrapplerSwap(memory(GPU, 3_670_532, "v", "d"));
    GrapplerGraph swapped = swap.apply(graph, List.of(new GrapplerSwap.Mark("d", List.of(2)), new GrapplerSwap.Mark("e",
      List.of(0, 1))));
    assertThat(swapped.nodes()).hasSize(12);
    assertThat(inputs(swapped, "e")).isEqualTo("b, c, d, axis, ^swap_out_d_2");
    assertThat(inputs(swapped, "d")).isEqualTo("v, indices, swap_in_d_2");
    assertThat(inputs(swapped, "swap_in_d_2")).isEqualTo("swap_out_d_2, ^indices");
  }

  @Test
  void t8AccumulationRewrites() {
    node(CPU, "shape", "Const").node(CPU, "a", "RandomUniform", "shape").node(CPU, "b", "RandomUniform", "shape").node(
      CPU, "c", "RandomUniform", "shape").node(CPU, "d", "AddN", "a", "b", "c").node(CPU, "e", "Square", "d");
    lives("a", BYTES, 0, 114_689_190).lives("b", BYTES, 16_384_375, 114_689_190).lives("c", BYTES, 32_768_750,
      114_689_190).lives("d", BYTES, 49_153_125, 147_457_223).lives("e", BYTES, 114_689_190, 147_457_223);
    GrapplerGraph graph = new GrapplerGraph(nodes);
    GrapplerGraph rewritten = new GrapplerSums(memory(CPU, 2_621_440), "d"::equals).apply(graph);
    assertThat(rewritten.nodes()).hasSize(12);
    assertThat(rewritten.nodes().get(4).op()).isEqualTo("DestroyTemporaryVariable");
    assertThat(inputs(rewritten, "d")).isEqualTo(
      "d/tmp_var_initializer, ^d/tmp_var_accum_0, ^d/tmp_var_accum_1, ^d/tmp_var_accum_2");
    assertThat(inputs(rewritten, "d/tmp_var")).isEqualTo("^c");
    assertThat(inputs(rewritten, "d/tmp_var_zeros")).isEqualTo("c");
    assertThat(inputs(rewritten, "d/tmp_var_initializer")).isEqualTo("d/tmp_var, d/tmp_var_zeros");
    assertThat(inputs(rewritten, "d/tmp_var_accum_1")).isEqualTo("d/tmp_var_initializer, b");
    assertThat(inputs(rewritten, "e")).isEqualTo("d");
    assertThat(new GrapplerSums(memory(CPU, 2_621_440), _ -> false).apply(graph)).isEqualTo(graph);
    assertThat(new GrapplerSums(memory(CPU, MEBIBYTE * 8 / 10), "d"::equals).apply(graph)).as("not nearly full")
      .isEqualTo(graph);
  }

  @ParameterizedTest
  @CsvSource({"exp, Exp, CPU:0, true", "exp, Exp, GPU:0, false", "exp, Exp, CPU:1, true", "send, _Send, CPU:0, false"})
  void t10RelaxedWhereValuesStayOnOneKindOfDevice(String name, String op, String device, boolean isRelaxed) {
    node(CPU, "constant", "Const").node(CPU, "variable", "VariableV2").node(CPU, "assign", "Assign", "variable",
      "constant").node(CPU.replace("CPU:0", device), name, op, "assign");
    assertThat(GrapplerRelax.of(new GrapplerGraph(nodes))).isEqualTo(isRelaxed ? Set.of("assign") : Set.of());
  }

  @Test
  void t11AssignsInTheFanoutOfOthers() {
    node(CPU, "constant", "Const").node(CPU, "variable0", "VariableV2").node(CPU, "variable2", "VariableV2").node(CPU,
      "variable3", "VariableV2").node(CPU, "variable4", "VariableV2").node(CPU, "assign0", "Assign", "variable0",
        "constant")
      .node(CPU, "assign2", "Assign", "variable2", "constant").node(CPU, "assign3", "Assign", "variable3",
        "constant")
      .node(CPU, "assign4", "Assign", "variable4", "constant").node(GPU, "rank_gpu", "Rank", "assign0",
        "^assign2")
      .node(CPU, "rank_cpu", "Rank", "assign3").node(CPU, "identity", "Identity", "rank_cpu").node(CPU,
        "exp_cpu", "Exp", "assign4")
      .node(CPU, "rank_dummy", "Identity", "exp_cpu").node(GPU, "variable_gpu",
        "VariableV2")
      .node(GPU, "assign_gpu", "Assign", "variable_gpu", "exp_cpu");
    assertThat(GrapplerRelax.of(new GrapplerGraph(nodes))).containsExactlyInAnyOrder("assign2", "assign3",
      "assign_gpu");
  }
}
