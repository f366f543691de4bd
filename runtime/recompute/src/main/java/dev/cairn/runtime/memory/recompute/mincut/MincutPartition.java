package dev.cairn.runtime.memory.recompute.mincut;

import dev.cairn.runtime.memory.recompute.JustInTime;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.mincut.JointGraph.Trait;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Which forward results PyTorch's compiler keeps for the backward pass (functorch's partitioners.py): those of a
 * minimum cut in which costly nodes may not run again; with a budget below 1, more and more of them may.
 */
public final class MincutPartition {
  private final JointGraph graph;

  private MincutPartition(JointGraph graph) {
    this.graph = graph;
  }

  /**
   * The words of budgets of 1, 0.9, and so on down to 0.
   *
   * @param border how many nodes are forward: the first ones of the given order
   * @param joint the problem as PyTorch's compiler sees it, node by node
   */
  public static List<Word> words(RecomputeProblem problem, int border, JointGraph joint) {
    List<Word> words = new ArrayList<>();
    for (int tenths = 10; tenths >= 0; tenths--) {
      BitSet saved = saved(joint, tenths / 10.0);
      var dropped = new BitSet();
      for (int value = 0; value < problem.order().values(); value++) {
        int producer = problem.order().producer(value);
        dropped.set(value, !saved.get(producer) && !problem.runsOnce(producer));
      }
      JustInTime.word(problem, problem.givenOrder().steps(), border, dropped).ifPresent(words::add);
    }
    return words;
  }

  /**
   * The nodes whose results are kept; inputs among them take no further memory.
   *
   * @param budget the part of the memory for activations that may be taken: 1 as without a budget, 0 inputs only
   * @throws IllegalArgumentException when the budget is not in 0..1
   */
  public static BitSet saved(JointGraph graph, double budget) {
    if (!(budget >= 0 && budget <= 1)) {
      throw new IllegalArgumentException("a budget must be a part of one: budget=" + budget);
    }
    return new MincutPartition(graph).saved(budget);
  }

  private BitSet saved(double budget) {
    if (budget == 0) {
      return inputs();
    }
    BitSet usual = new SavedCut(graph, SavedCut.Bans.ALL, new BitSet()).saved();
    long most = activations(usual);
    if (budget == 1 || most == 0) {
      return usual;
    }
    BitSet fewer = new SavedCut(graph, SavedCut.Bans.NEIGHBOURS_MAY, new BitSet()).saved();
    if ((double) activations(fewer) / most < budget) {
      return fewer;
    }
    var costly = new SavedCut(graph, SavedCut.Bans.ONLY_COSTLY, new BitSet());
    BitSet fewest = costly.saved();
    return (double) activations(fewest) / most < budget ? fewest : packed(costly, most, budget);
  }

  /** Packs banned nodes by what they save and what they cost; the others may run again. */
  private BitSet packed(SavedCut costly, long most, double budget) {
    List<Integer> things = costly.banned().stream().boxed().filter(node -> costly.distance(node) < 1_000_000_000)
      .sorted(Comparator.<Integer, String>comparing(node -> graph.nodes().get(node).name()).thenComparing(
        Comparator.reverseOrder()))
      .sorted(Comparator.comparingLong(node -> -graph.nodes().get(node).bytes()))
      .toList();
    double[] weights = things.stream().mapToDouble(node -> (double) graph.nodes().get(node).bytes() / most).toArray();
    double[] values = things.stream().mapToDouble(node -> Math.max(1, graph.nodes().get(node).work())).toArray();
    BitSet taken = Knapsack.taken(weights, values, budget);
    var allowed = new BitSet();
    for (int i = 0; i < things.size(); i++) {
      if (!taken.get(i)) {
        allowed.set(things.get(i));
      }
    }
    return new SavedCut(graph, SavedCut.Bans.ONLY_COSTLY, allowed).saved();
  }

  private BitSet inputs() {
    var inputs = new BitSet();
    for (int i = 0; i < graph.nodes().size(); i++) {
      inputs.set(i, graph.nodes().get(i).is(Trait.INPUT));
    }
    return inputs;
  }

  private long activations(BitSet saved) {
    return saved.stream().filter(node -> !graph.nodes().get(node).is(Trait.INPUT)).mapToLong(node -> graph.nodes().get(
      node).bytes()).sum();
  }
}
