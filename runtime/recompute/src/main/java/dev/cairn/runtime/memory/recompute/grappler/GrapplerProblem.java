package dev.cairn.runtime.memory.recompute.grappler;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.offload.OffloadMove;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * A problem as a TensorFlow graph on one GPU, and what the passes of TensorFlow's memory optimizer make of it. The
 * passes that need a timeline get one in which the steps run one after the other, each for a time in proportion to its
 * cost.
 */
public final class GrapplerProblem {
  private static final String GPU = "/device:GPU:0";

  private final RecomputeProblem problem;
  private final String[] names;
  private final GrapplerGraph graph;
  /** Nodes that may not run again. */
  private final Set<String> once = new HashSet<>();
  /** For each node that overwrites what earlier nodes read, as an assignment does, these earlier nodes. */
  private final Map<String, List<String>> ended = new HashMap<>();

  /**
   * @param operators the name that TensorFlow has for a node's operator
   * @param isGradient whether a node computes gradients
   */
  public GrapplerProblem(RecomputeProblem problem, IntFunction<String> operators, IntPredicate isGradient) {
    this.problem = problem;
    names = new String[problem.nodes()];
    Arrays.setAll(names, node -> (isGradient.test(node) ? GrapplerRecompute.GRADIENTS : "n/") + node);
    OrderProblem order = problem.order();
    List<GrapplerNode> nodes = new ArrayList<>();
    for (int node = 0; node < names.length; node++) {
      List<String> inputs = new ArrayList<>();
      for (int value : order.read(node)) {
        int producer = order.producer(value);
        int result = Arrays.stream(order.made(producer)).boxed().toList().indexOf(value);
        inputs.add(names[producer] + (result == 0 ? "" : ":" + result));
      }
      Arrays.stream(order.before(node)).mapToObj(it -> names[it]).filter(it -> inputs.stream().noneMatch(
        input -> GrapplerNode.producer(input).equals(it))).forEach(it -> inputs.add("^" + it));
      nodes.add(new GrapplerNode(names[node], operators.apply(node), inputs, GPU, Set.of()));
      if (problem.runsOnce(node)) {
        once.add(names[node]);
      }
      for (int later : order.edges(node)) {
        ended.computeIfAbsent(names[later], _ -> new ArrayList<>()).add(names[node]);
      }
    }
    graph = new GrapplerGraph(nodes);
  }

  /** The nodes in their order. */
  public GrapplerWord given() {
    return new GrapplerWord(graph, names, ended);
  }

  /**
   * The result of the recompute pass, with cheap operators by heuristics. TensorFlow's copies of a step do not know
   * that an assignment ends what the step reads. So an assignment waits for them; a step whose copy would wait for the
   * assignment runs once, as the assignment does.
   */
  public GrapplerWord recomputed() {
    Set<String> fed = new HashSet<>(once);
    fed.addAll(ended.keySet());
    while (true) {
      var word = new GrapplerWord(new GrapplerRecompute(true, GrapplerRecompute.GRADIENTS, fed).apply(graph), names,
        ended);
      Set<String> late = word.late();
      if (late.isEmpty()) {
        return word;
      }
      fed.addAll(late);
    }
  }

  /**
   * The sums that the scheduling pass adds up one addend at a time.
   *
   * @param word the graph as it runs
   * @param memoryBytes of the device
   * @param nanosPerCost how long a unit of cost takes
   * @param isKnown whether a node's type can be accumulated
   */
  public Set<Integer> sums(GrapplerWord word, long memoryBytes, double nanosPerCost, IntPredicate isKnown) {
    GrapplerGraph after = new GrapplerSums(memory(word, memoryBytes, nanosPerCost), name -> isKnown.test(word.number(
      name))).apply(word.graph());
    Set<Integer> sums = new HashSet<>();
    after.nodes().stream().filter(it -> it.op().equals(GrapplerSums.DESTROY)).forEach(it -> sums.add(word.number(it
      .name())));
    return sums;
  }

  /**
   * The values that the swapping pass copies to the host and back. A value comes back once, for the first of the
   * readers that are marked; later ones read the same copy. It goes out after the last reader before that.
   *
   * @param word the graph as it runs
   * @param memoryBytes of the device
   * @param nanosPerCost how long a unit of cost takes
   */
  public List<OffloadMove> swaps(GrapplerWord word, long memoryBytes, double nanosPerCost) {
    var swap = new GrapplerSwap(memory(word, memoryBytes, nanosPerCost));
    List<GrapplerSwap.Mark> marks = swap.marks(word.graph());
    Map<String, GrapplerNode> after = new HashMap<>();
    swap.apply(word.graph(), marks).nodes().forEach(it -> after.put(it.name(), it));
    Map<String, OffloadMove> moves = new LinkedHashMap<>();
    for (GrapplerSwap.Mark mark : marks) {
      for (int input : mark.inputs()) {
        GrapplerNode back = after.get(GrapplerSwap.backName(mark.node(), input));
        GrapplerNode out = after.get(GrapplerSwap.outName(mark.node(), input));
        if (back != null && out != null) {
          String read = out.inputs().getFirst();
          OffloadMove move = move(word, mark.node(), read, GrapplerNode.producer(back.inputs().getLast()));
          if (!runsBetween(word, move)) {
            moves.merge(read, move, (one, other) -> one.to() <= other.to() ? one : other);
          }
        }
      }
    }
    return moves.values().stream().filter(it -> it.out() < it.to() && !problem.order().isKept(it.value())).sorted(
      Comparator.comparingInt(OffloadMove::from).thenComparingInt(OffloadMove::value)).toList();
  }

  private OffloadMove move(GrapplerWord word, String reader, String read, String trigger) {
    int to = word.position(reader);
    String producer = GrapplerNode.producer(read);
    int from = word.position(producer);
    for (GrapplerNode other : word.order()) {
      int at = word.position(other.name());
      if (word.number(other.name()) >= 0 && at < to && other.inputs().contains(read)) {
        from = Math.max(from, at);
      }
    }
    int value = problem.order().made(word.number(producer))[GrapplerNode.port(read)];
    int begins = word.position(trigger) + (word.number(trigger) < 0 ? 0 : 1);
    return new OffloadMove(value, problem.order().bytes(value), from, to, from + 1, Math.clamp(begins, from + 1, to));
  }

  /** Whether the value is made again while it would wait, so that its reader needs no copy. */
  private boolean runsBetween(GrapplerWord word, OffloadMove move) {
    int producer = problem.order().producer(move.value());
    return Arrays.stream(word.word().steps(), move.out(), move.to()).anyMatch(it -> it == producer);
  }

  private GrapplerMemory memory(GrapplerWord word, long memoryBytes, double nanosPerCost) {
    Map<String, Long> nanos = new HashMap<>();
    Map<String, List<Long>> bytes = new HashMap<>();
    for (GrapplerNode node : word.order()) {
      int number = word.number(node.name());
      nanos.put(node.name(), number < 0 ? 0 : (long) Math.ceil(problem.cost(number) * nanosPerCost));
      bytes.put(node.name(), number < 0
        ? List.of()
        : Arrays.stream(problem.order().made(number)).mapToObj(problem.order()::bytes).toList());
    }
    return GrapplerMemory.ofOneGpu(GPU, memoryBytes, word.order(), nanos, bytes);
  }
}
