package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.order.RandomOrderProblems;
import dev.cairn.runtime.memory.planner.RecordedProblems;
import dev.cairn.runtime.memory.recompute.LayerRule.ForwardLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Problems of recomputation for tests: published graphs, small nets, chains, random ones. */
public final class RecomputeProblems {
  private RecomputeProblems() {}

  /** A published training graph; the test is skipped without the file. */
  public static RecomputeProblem published(String name) throws IOException {
    return RecomputeCsv.read(RecordedProblems.file("remat/" + name + ".csv"));
  }

  /** A net written as {@code cost,bytes,input input;…}; the loss costs 1 and has 1 byte. */
  public static RecomputeProblem net(String text) {
    List<ForwardLayer> layers = new ArrayList<>();
    for (String layer : text.split(";", -1)) {
      String[] cells = layer.strip().split(",", -1);
      List<Integer> inputs = new ArrayList<>();
      for (String input : cells[2].strip().split(" +", -1)) {
        if (!input.isEmpty()) {
          inputs.add(Integer.parseInt(input));
        }
      }
      layers.add(new ForwardLayer("layer " + layers.size(), Long.parseLong(cells[0]), Long.parseLong(cells[1]),
        inputs));
    }
    return LayerRule.training(layers, 1, 1);
  }

  /** A chain of n unit nodes, the loss, and gradients that read one node each and the gradient before. */
  public static RecomputeProblem chain(int n) {
    var order = OrderProblem.builder(2 * n + 1);
    for (int node = 0; node <= 2 * n; node++) {
      if (node == 2 * n) {
        order.value(node, 1, false);
      } else if (node < n - 1) {
        order.value(node, 1, false, node + 1, 2 * n - node);
      } else if (node == n - 1) {
        order.value(node, 1, false, n, n + 1);
      } else {
        order.value(node, 1, false, node + 1);
      }
    }
    return RecomputeProblem.builder(order.build()).build();
  }

  /** A random problem with all that there is: several results, kept ones, workspaces, in-place pairs, edges. */
  public static RecomputeProblem random(long seed, int nodes) {
    Random random = new Random(seed);
    var problem = RecomputeProblem.builder(RandomOrderProblems.seeded(seed, nodes, nodes));
    for (int node = 0; node < nodes; node++) {
      problem.cost(node, 1 + random.nextInt(9));
      if (random.nextInt(8) == 0) {
        problem.once(node);
      }
    }
    return problem.build();
  }

  /** A random training problem of so many layers: chains with skips. */
  public static RecomputeProblem randomTraining(long seed, int layers) {
    Random random = new Random(seed);
    List<ForwardLayer> net = new ArrayList<>();
    for (int i = 0; i < layers; i++) {
      List<Integer> inputs = new ArrayList<>();
      if (i > 0) {
        inputs.add(i - 1);
      }
      if (i > 1 && random.nextInt(3) == 0) {
        inputs.add(random.nextInt(i - 1));
      }
      net.add(new ForwardLayer("layer " + i, 1 + random.nextInt(9), 1 + random.nextInt(8), inputs));
    }
    return LayerRule.training(net, 1, 1);
  }
}
