package dev.cairn.runtime.memory.recompute.mincut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.recompute.mincut.JointGraph.JointNode;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph.Trait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of PyTorch's test_ac.py: memory in matrices of 512x512, work in products of such matrices. */
class MincutTest {
  private final List<JointNode> nodes = new ArrayList<>();
  private final Deque<Backward> backwards = new ArrayDeque<>();
  /** For each forward node, its gradient so far. */
  private final List<Integer> gradients = new ArrayList<>();

  private interface Backward {
    void add();
  }

  private int add(String name, long bytes, long work, Set<Trait> traits, Integer... inputs) {
    nodes.add(new JointNode(name + nodes.size(), bytes, work, traits, List.of(inputs)));
    gradients.add(-1);
    return nodes.size() - 1;
  }

  private int input(long bytes) {
    return add("input", bytes, 0, Set.of(Trait.INPUT));
  }

  private int cos(int x) {
    long bytes = nodes.get(x).bytes();
    int y = add("cos", bytes, 0, Set.of(Trait.CHEAP), x);
    backwards.push(() -> {
      int sin = add("sin", bytes, 0, Set.of(Trait.CHEAP, Trait.AUXILIARY), x);
      int neg = add("neg", bytes, 0, Set.of(Trait.CHEAP, Trait.AUXILIARY), sin);
      flow(x, add("mul", bytes, 0, Set.of(Trait.CHEAP, Trait.BACKWARD), gradients.get(y), neg));
    });
    return y;
  }

  private int mm(int x, int w, long bytes, long work) {
    int y = add("mm", bytes, work, Set.of(Trait.HEAVY), x, w);
    backwards.push(() -> {
      int xt = add("t", nodes.get(x).bytes(), 0, Set.of(Trait.CHEAP, Trait.VIEW, Trait.AUXILIARY), x);
      flow(w, add("dw", nodes.get(w).bytes(), work, Set.of(Trait.HEAVY, Trait.BACKWARD), xt, gradients.get(y)));
      int wt = add("t", nodes.get(w).bytes(), 0, Set.of(Trait.CHEAP, Trait.VIEW, Trait.AUXILIARY), w);
      flow(x, add("dx", nodes.get(x).bytes(), work, Set.of(Trait.HEAVY, Trait.BACKWARD), gradients.get(y), wt));
    });
    return y;
  }

  private void flow(int to, int term) {
    int before = gradients.get(to);
    gradients.set(to, before < 0
      ? term
      : add("add", nodes.get(to).bytes(), 0, Set.of(Trait.CHEAP, Trait.BACKWARD), before, term));
  }

  /** The sum of some results, and all gradients. */
  private JointGraph sum(Integer... results) {
    int total = add("sum", 0, 0, Set.of(Trait.CHEAP), results);
    int head = add("tangent", 0, 0, Set.of(Trait.BACKWARD), total);
    for (int result : results) {
      flow(result, add("expand", nodes.get(result).bytes(), 0, Set.of(Trait.CHEAP, Trait.VIEW, Trait.BACKWARD), head));
    }
    backwards.forEach(Backward::add);
    return new JointGraph(nodes);
  }

  private static long memory(JointGraph graph, BitSet saved) {
    return saved.stream().mapToObj(graph.nodes()::get).filter(node -> !node.is(Trait.INPUT)).mapToLong(JointNode::bytes)
      .sum();
  }

  /** The work of forward nodes that run again: those that gradients reach without passing what is saved. */
  private static long again(JointGraph graph, BitSet saved) {
    var wanted = new BitSet();
    long work = 0;
    for (int i = graph.nodes().size() - 1; i >= 0; i--) {
      JointNode node = graph.nodes().get(i);
      boolean runs = node.is(Trait.BACKWARD) || (wanted.get(i) && !saved.get(i) && !node.is(Trait.INPUT));
      if (runs) {
        node.inputs().forEach(wanted::set);
        work += node.is(Trait.BACKWARD) ? 0 : node.work();
      }
    }
    return work;
  }

  @Test
  void aCosineBeforeAProduct() {
    int x = input(1);
    JointGraph graph = sum(mm(cos(x), input(1), 1, 1));
    assertThat(memory(graph, MincutPartition.saved(graph, 1))).isEqualTo(1);
    BitSet half = MincutPartition.saved(graph, 0.5);
    assertThat(memory(graph, half)).isZero();
    assertThat(again(graph, half)).isZero();
  }

  @Test
  void fiveProductsWithCosines() {
    int y = cos(input(1));
    for (int i = 0; i < 5; i++) {
      y = cos(mm(y, input(1), 1, 1));
    }
    JointGraph graph = sum(y);
    for (int k = 0; k <= 10; k++) {
      BitSet saved = MincutPartition.saved(graph, k / 10.0);
      assertThat(memory(graph, saved)).as("budget %d", k).isEqualTo(k <= 5 ? k : k < 10 ? 5 : 10);
      assertThat(again(graph, saved)).as("budget %d", k).isEqualTo(k <= 5 ? 5 - k : 0);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"11,3,4,2 | 18,17,16,15,14,13,11,7,6,5", "3,5,11,17,14 | 42,30,19,8,3"})
  void independentProductsAreAKnapsack(String sizes, String budgets) {
    int x = input(1);
    List<Integer> results = new ArrayList<>();
    for (long size : numbers(sizes)) {
      results.add(cos(mm(x, input(size), size, size)));
    }
    JointGraph graph = sum(results.toArray(Integer[]::new));
    long total = numbers(sizes).stream().mapToLong(Long::longValue).sum();
    for (long budget : numbers(budgets)) {
      assertThat(memory(graph, MincutPartition.saved(graph, (double) budget / total))).isEqualTo(budget);
    }
  }

  /** Pairs (B, O): a product of B rows and columns with B rows and O columns, in units of 512. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"1,4 2,2 | 4 | 4 | 4", "4,4 6,2 2,6 | 28 | 28 | 24",
    "4,4 6,2 2,6 | 16 | 12 | 88"})
  void theProductsThatCostLeastRunAgain(String pairs, long budget, long held, long work) {
    List<Integer> results = new ArrayList<>();
    long total = 0;
    for (String pair : pairs.split(" ", -1)) {
      long b = numbers(pair).get(0);
      long o = numbers(pair).get(1);
      results.add(cos(mm(input(b * b), input(b * o), b * o, b * b * o)));
      total += b * o;
    }
    JointGraph graph = sum(results.toArray(Integer[]::new));
    BitSet saved = MincutPartition.saved(graph, (double) budget / total);
    assertThat(memory(graph, saved)).isEqualTo(held);
    assertThat(again(graph, saved)).isEqualTo(work);
  }

  /** Attention over S rows of D columns takes 2·S²·D, the product behind it S·D²: the cheaper one runs again. */
  @ParameterizedTest
  @CsvSource({"1, 1, false", "2, 2, false", "2, 1, false", "4, 7, false", "1, 3, true", "2, 5, true", "4, 9, true"})
  void attentionOrTheProductBehindItRunsAgain(long s, long d, boolean attentionDoes) {
    int attention = mm(input(s * d), input(s * d), s * d, 2 * s * s * d);
    JointGraph graph = sum(cos(mm(attention, input(d * d), s * d, s * d * d)));
    assertThat(again(graph, MincutPartition.saved(graph, 0.6))).isEqualTo(attentionDoes ? 2 * s * s * d : s * d * d);
  }

  private static List<Long> numbers(String list) {
    return Stream.of(list.split(",", -1)).map(Long::valueOf).toList();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"2,3,2,4,1 | 1,2,1,3,2 | 5 | {3, 4}", "10,20,30 | 1,2,3 | 5 | {}",
    "0,2,3 | 5,2,3 | 5 | {0, 1, 2}", "1,2,3 | 0,2,3 | 3 | {2}", "100,200,300 | 1000,2000,3000 | 500 | {1, 2}",
    "0.5,1.5,2 | 1,2,3 | 2 | {0, 1}", "0,0,0 | 1,2,3 | 0 | {0, 1, 2}"})
  void knapsacks(String weights, String values, double capacity, String taken) {
    assertThat(Knapsack.taken(reals(weights), reals(values), capacity)).hasToString(taken);
  }

  private static double[] reals(String list) {
    return Stream.of(list.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  @Test
  void whatTheUserWantsAgainRunsAgain() {
    int x = input(1);
    int first = cos(mm(x, input(1), 1, 1));
    JointGraph plain = sum(mm(first, input(1), 1, 1));
    List<JointNode> marked = plain.nodes().stream().map(node -> node.name().startsWith("mm") || node.name().startsWith(
      "cos")
        ? new JointNode(node.name(), node.bytes(), node.work(), Stream.concat(node.traits().stream(), Stream.of(
          Trait.RECOMPUTE)).collect(Collectors.toSet()), node.inputs())
        : node)
      .toList();
    var graph = new JointGraph(marked);
    BitSet saved = MincutPartition.saved(graph, 0.01);
    assertThat(memory(graph, saved)).isZero();
    assertThat(again(graph, saved)).isEqualTo(1);
  }

  @Test
  void refusesBudgetsThatAreNoParts() {
    JointGraph graph = sum(cos(input(1)));
    for (double budget : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> MincutPartition.saved(graph, budget)).hasMessageContaining("budget=");
    }
  }
}
