package dev.cairn.runtime.memory.remat.grappler;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** What TensorFlow's recompute pass makes of a problem: the nodes in their order, each copy right before its reader. */
public final class GrapplerWord {
  private final Map<String, GrapplerNode> byName = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Integer> steps = new ArrayList<>();
  private final Set<String> ran = new HashSet<>();

  private GrapplerWord(GrapplerGraph graph, String[] names) {
    graph.nodes().forEach(node -> byName.put(node.name(), node));
    for (int node = 0; node < names.length; node++) {
      numbers.put(names[node], node);
      numbers.put(GrapplerRecompute.COPY + names[node], node);
    }
  }

  /**
   * The word of a problem. Nodes that run once are not run again.
   *
   * @param operators the name that TensorFlow has for a node's operator
   * @param isGradient whether a node computes gradients
   */
  public static Word of(RematProblem problem, IntFunction<String> operators, IntPredicate isGradient) {
    String[] names = new String[problem.nodes()];
    Arrays.setAll(names, node -> (isGradient.test(node) ? GrapplerRecompute.GRADIENTS : "n/") + node);
    OrderProblem order = problem.order();
    List<GrapplerNode> nodes = new ArrayList<>();
    Set<String> once = new HashSet<>();
    for (int node = 0; node < names.length; node++) {
      List<String> inputs = new ArrayList<>();
      for (int value : order.read(node)) {
        int producer = order.producer(value);
        int result = Arrays.stream(order.made(producer)).boxed().toList().indexOf(value);
        inputs.add(names[producer] + (result == 0 ? "" : ":" + result));
      }
      nodes.add(new GrapplerNode(names[node], operators.apply(node), inputs, "", Set.of()));
      if (problem.runsOnce(node)) {
        once.add(names[node]);
      }
    }
    var graph = new GrapplerRecompute(true, GrapplerRecompute.GRADIENTS, once).apply(new GrapplerGraph(nodes));
    var word = new GrapplerWord(graph, names);
    for (String name : names) {
      word.run(name);
    }
    return Word.of(word.steps.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Runs a node after all that it waits for; without recursion. */
  private void run(String name) {
    Deque<String> waiting = new ArrayDeque<>(List.of(name));
    while (!waiting.isEmpty()) {
      String next = waiting.element();
      List<String> missing = ran.contains(next)
        ? List.of()
        : producers(next).filter(it -> !ran.contains(it)).toList();
      if (missing.isEmpty()) {
        waiting.pop();
        if (ran.add(next) && numbers.containsKey(next)) {
          steps.add(numbers.get(next));
        }
      } else {
        missing.reversed().forEach(waiting::push);
      }
    }
  }

  private Stream<String> producers(String name) {
    return Objects.requireNonNull(byName.get(name)).inputs().stream().map(GrapplerNode::producer);
  }
}
