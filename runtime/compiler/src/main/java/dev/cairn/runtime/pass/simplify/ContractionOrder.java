package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.EinsumEquation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the operands of an {@code Einsum} are multiplied: a tree of pairs with the fewest multiplications.
 * Of up to {@value #MOST_COMPARED} operands it compares all trees, of more it takes the cheapest pair again and again.
 * A set of operands is a mask of bits.
 */
final class ContractionOrder {
  private static final int MOST_COMPARED = 8;

  /** Some operands, or one of them where there are no parts, and the two parts that are multiplied last. */
  record Tree(long operands, @Nullable Tree left, @Nullable Tree right) {}

  private final List<Set<Integer>> axes;
  private final EinsumEquation equation;
  private final Map<Long, Set<Integer>> left = new HashMap<>();

  private ContractionOrder(List<Set<Integer>> axes, EinsumEquation equation) {
    this.axes = axes;
    this.equation = equation;
  }

  /** @param axes by operand, its axes of the equation's index space */
  static ContractionOrder of(List<Set<Integer>> axes, EinsumEquation equation) {
    return new ContractionOrder(List.copyOf(axes), equation);
  }

  /** The axes of the product of some operands: those that the result or another operand has, too. */
  Set<Integer> axes(long operands) {
    return left.computeIfAbsent(operands, it -> {
      Set<Integer> inside = new HashSet<>();
      Set<Integer> outside = new HashSet<>();
      for (int i = 0; i < axes.size(); i++) {
        ((operands >> i & 1) == 1 ? inside : outside).addAll(axes.get(i));
      }
      inside.removeIf(axis -> axis >= equation.kept() && !outside.contains(axis));
      return Set.copyOf(inside);
    });
  }

  Tree tree() {
    return axes.size() <= MOST_COMPARED ? cheapest() : greedy();
  }

  /** Multiplications of one product. */
  private double work(long one, long other) {
    Set<Integer> all = new HashSet<>(axes(one));
    all.addAll(axes(other));
    return all.stream().mapToDouble(equation::extent).reduce(1, (a, b) -> a * b);
  }

  private Tree cheapest() {
    int all = (1 << axes.size()) - 1;
    Tree[] trees = new Tree[all + 1];
    double[] costs = new double[all + 1];
    for (int mask = 1; mask <= all; mask++) {
      if (Integer.bitCount(mask) == 1) {
        trees[mask] = new Tree(mask, null, null);
        continue;
      }
      costs[mask] = Double.POSITIVE_INFINITY;
      for (int part = (mask - 1) & mask; part > 0; part = (part - 1) & mask) {
        int other = mask ^ part;
        double cost = part < other ? Double.POSITIVE_INFINITY : costs[part] + costs[other] + work(part, other);
        if (cost < costs[mask]) {
          costs[mask] = cost;
          trees[mask] = new Tree(mask, trees[other], trees[part]);
        }
      }
    }
    return trees[all];
  }

  private Tree greedy() {
    List<Tree> parts = new ArrayList<>();
    for (int i = 0; i < axes.size(); i++) {
      parts.add(new Tree(1L << i, null, null));
    }
    while (parts.size() > 1) {
      int first = 0;
      int second = 1;
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < parts.size(); i++) {
        for (int k = i + 1; k < parts.size(); k++) {
          double work = work(parts.get(i).operands, parts.get(k).operands);
          if (work < least) {
            least = work;
            first = i;
            second = k;
          }
        }
      }
      Tree right = parts.remove(second);
      Tree one = parts.get(first);
      parts.set(first, new Tree(one.operands | right.operands, one, right));
    }
    return parts.getFirst();
  }
}
