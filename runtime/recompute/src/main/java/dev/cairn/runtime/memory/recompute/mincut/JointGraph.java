package dev.cairn.runtime.memory.recompute.mincut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Forward and backward nodes, in an order in which they can run.
 *
 * @param nodes each reads earlier ones
 */
public record JointGraph(List<JointNode> nodes) {
  /** The roles of a node for the partitioner. */
  public enum Trait {
    /** It is there before the forward pass, such as a parameter. */
    INPUT,
    /** It depends on head gradients. */
    BACKWARD,
    /** Only gradients read it, and it does not depend on head gradients. */
    AUXILIARY,
    /** It gives other bytes no life: a shape over them. */
    VIEW,
    /** Cheap, so that it may run again; neighbours that are all cheap or random are one kernel. */
    CHEAP,
    /** It draws random numbers. */
    RANDOM,
    /** A product, a convolution, attention. */
    HEAVY,
    /** The user wants it to run again. */
    RECOMPUTE
  }

  /**
   * @param bytes of its result
   * @param work what a run costs
   * @param inputs indexes of earlier nodes
   */
  public record JointNode(String name, long bytes, long work, Set<Trait> traits, List<Integer> inputs) {
    public JointNode {
      traits = Set.copyOf(traits);
      inputs = List.copyOf(inputs);
    }

    boolean is(Trait trait) {
      return traits.contains(trait);
    }

    /** Whether the forward pass needs it. */
    boolean isForward() {
      return !is(Trait.BACKWARD) && !is(Trait.AUXILIARY);
    }

    /** Whether neighbours of its kind become one kernel. */
    boolean fuses() {
      return is(Trait.CHEAP) || is(Trait.RANDOM);
    }
  }

  /** Keeps a copy. */
  public JointGraph {
    nodes = List.copyOf(nodes);
    for (int i = 0; i < nodes.size(); i++) {
      for (int input : nodes.get(i).inputs()) {
        if (input < 0 || input >= i) {
          throw new IllegalArgumentException("a node reads one that does not come before it: node=%s input=%d"
            .formatted(nodes.get(i).name(), input));
        }
      }
    }
  }

  /** The nodes that read each node, in order, each once. */
  int[][] users() {
    List<List<Integer>> users = new ArrayList<>();
    nodes.forEach(_ -> users.add(new ArrayList<>()));
    for (int i = 0; i < nodes.size(); i++) {
      for (int input : nodes.get(i).inputs().stream().distinct().toList()) {
        users.get(input).add(i);
      }
    }
    return users.stream().map(list -> list.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
  }

  /**
   * For each node: 0 where only gradients read it, else one more than its nearest reader; {@code 10^9} without readers.
   */
  int[] distances(int[][] users) {
    int[] distances = new int[nodes.size()];
    for (int i = nodes.size() - 1; i >= 0; i--) {
      if (nodes.get(i).isForward()) {
        distances[i] = Arrays.stream(users[i]).map(user -> distances[user] + 1).min().orElse(1_000_000_000);
        distances[i] = Math.min(distances[i], 1_000_000_000);
      }
    }
    return distances;
  }
}
