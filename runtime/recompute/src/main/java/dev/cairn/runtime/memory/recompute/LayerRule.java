package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Turns the layers of a net into a training problem, as published graphs of recomputation do (Checkmate, MLSys 2020).
 *
 * <p>Of n layers, node n is the loss and node {@code 2n - i} the gradient of layer i. A gradient costs twice its layer
 * and takes as many bytes. It reads the gradient and the output of every consumer, and its layer's own output.
 */
public final class LayerRule {
  private LayerRule() {}

  /**
   * A layer of a net.
   *
   * @param name its name
   * @param cost what its forward run costs
   * @param bytes what its output takes
   * @param inputs the earlier layers that it reads
   */
  public record ForwardLayer(String name, long cost, long bytes, List<Integer> inputs) {
    public ForwardLayer {
      inputs = List.copyOf(inputs);
    }

    /** A layer that reads these earlier layers. */
    public static ForwardLayer of(String name, long cost, long bytes, Integer... inputs) {
      return new ForwardLayer(name, cost, bytes, List.of(inputs));
    }
  }

  /** The training problem of these layers, of which the last one goes into the loss. */
  public static RecomputeProblem training(List<ForwardLayer> layers, long lossCost, long lossBytes) {
    int n = layers.size();
    List<TreeSet<Integer>> readers = new ArrayList<>();
    for (int node = 0; node <= 2 * n; node++) {
      readers.add(new TreeSet<>());
    }
    for (int i = 0; i < n; i++) {
      readers.get(i).add(2 * n - i);
      for (int input : layers.get(i).inputs) {
        readers.get(input).add(i);
        readers.get(i).add(2 * n - input);
        readers.get(2 * n - i).add(2 * n - input);
      }
    }
    readers.get(n - 1).add(n);
    readers.get(n).add(n + 1);
    OrderProblem.Builder order = OrderProblem.builder(2 * n + 1);
    for (int node = 0; node <= 2 * n; node++) {
      long bytes = node == n ? lossBytes : layers.get(node < n ? node : 2 * n - node).bytes;
      order.value(node, bytes, false, readers.get(node).stream().mapToInt(Integer::intValue).toArray());
    }
    RecomputeProblem.Builder problem = RecomputeProblem.builder(order.build()).cost(n, lossCost).name(n, "loss");
    for (int i = 0; i < n; i++) {
      ForwardLayer layer = layers.get(i);
      problem.cost(i, layer.cost).name(i, layer.name);
      problem.cost(2 * n - i, 2 * layer.cost).name(2 * n - i, "gradients/" + layer.name);
    }
    return problem.build();
  }
}
