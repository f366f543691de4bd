package dev.cairn.runtime.memory.recompute.revolve;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.ForwardChain;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Revolve, after Griewank and Walther 2000: the fewest runs of a chain's stages, when so many of its states can be held
 * and the last stages are reversed first.
 */
public final class RevolveWord {
  private static final long MANY = 1L << 40;

  private final RecomputeProblem problem;
  private final ForwardChain chain;
  /** For each backward node, from the border on: the state that must be there when it runs. */
  private final int[] reversal;
  private int[] steps;
  private int length;
  private int nextForward;
  private int nextBackward;

  private RevolveWord(RecomputeProblem problem, int border) {
    this.problem = problem;
    chain = ForwardChain.of(problem, border);
    reversal = reversals();
    steps = new int[2 * problem.nodes()];
    nextBackward = border;
  }

  /**
   * The words from many states to one.
   *
   * @param border how many nodes are forward: the first ones of the given order
   */
  public static List<Word> words(RecomputeProblem problem, int border) {
    List<Word> words = new ArrayList<>();
    for (int states = states(problem, border); states > 0; states -= 1 + states / 16) {
      of(problem, border, states).ifPresent(words::add);
    }
    return words;
  }

  /**
   * The word that holds so many states of the chain, the first one included; empty where a node would run again after
   * one that it must precede.
   *
   * @param border how many nodes are forward: the first ones of the given order
   * @param states at least 1
   */
  public static Optional<Word> of(RecomputeProblem problem, int border, int states) {
    Word word = new RevolveWord(problem, border).word(states);
    return keepsEdges(problem.order(), word) ? Optional.of(word) : Optional.empty();
  }

  private static boolean keepsEdges(OrderProblem order, Word word) {
    var ran = new BitSet();
    for (int node : word.steps()) {
      ran.set(node);
      if (Arrays.stream(order.edges(node)).anyMatch(ran::get)) {
        return false;
      }
    }
    return true;
  }

  /** How many states there are to hold: with that many nothing runs again. */
  public static int states(RecomputeProblem problem, int border) {
    return new RevolveWord(problem, border).length();
  }

  /**
   * The fewest forward steps that reverse a chain: {@code r·length − C(states + r, states + 1)} for the least r with
   * {@code C(states + r, states) ≥ length}.
   *
   * @param states how many can be held, the first one included; at least 1
   */
  public static long leastSteps(long length, long states) {
    long r = 0;
    long reached = 1;
    long below = 0;
    while (reached < length) {
      r++;
      below += reached;
      reached = Math.min(MANY, reached * (states + r) / r);
    }
    return r * length - below;
  }

  private int length() {
    return reversal.length == 0 ? 1 : reversal[0] + 1;
  }

  /** In a plain chain, state i + 1 is the value of node i; else a stage runs again from the state before it. */
  private int[] reversals() {
    OrderProblem order = problem.order();
    int[] states = new int[problem.nodes() - chain.border()];
    int[] stages = chain.stages();
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < states.length; i++) {
      for (int value : order.read(chain.border() + i)) {
        int producer = order.producer(value);
        least = producer < chain.border() ? Math.min(least, stages[producer]) : least;
      }
      states[i] = least;
    }
    int most = Arrays.stream(states).filter(it -> it < Integer.MAX_VALUE).max().orElse(0);
    return Arrays.stream(states).map(it -> Math.min(it, most) + (chain.isPlain() ? 1 : 0)).toArray();
  }

  private Word word(int states) {
    Deque<int[]> waiting = new ArrayDeque<>();
    waiting.push(new int[] {0, length(), states});
    while (!waiting.isEmpty()) {
      int[] part = waiting.pop();
      int from = part[0];
      int to = part[1];
      if (to - from == 1 || part[2] == 1) {
        for (int state = to - 1; state >= from; state--) {
          advance(from, state);
          reverse(state);
        }
      } else {
        int middle = from + split(to - from, part[2]);
        advance(from, middle);
        waiting.push(new int[] {from, middle, part[2]});
        waiting.push(new int[] {middle, to, part[2] - 1});
      }
    }
    while (nextForward < chain.border()) {
      add(nextForward);
    }
    while (nextBackward < problem.nodes()) {
      add(nextBackward++);
    }
    return withoutUnread();
  }

  /** Where to hold the next state: the sum is convex in it. */
  private static int split(int length, int states) {
    int low = 1;
    int high = length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps(length, states, middle) <= steps(length, states, middle + 1)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static long steps(int length, int states, int middle) {
    return middle + leastSteps(length - middle, states - 1) + leastSteps(middle, states);
  }

  private void advance(int from, int to) {
    for (int node = chain.start(from); node < chain.start(to); node++) {
      add(node);
    }
  }

  private void reverse(int state) {
    if (!chain.isPlain()) {
      advance(state, state + 1);
    }
    while (nextBackward < problem.nodes() && reversal[nextBackward - chain.border()] >= state) {
      while (nextForward < chain.border()) {
        add(nextForward);
      }
      add(nextBackward++);
    }
  }

  private void add(int node) {
    if (node < nextForward && problem.runsOnce(node)) {
      return;
    }
    nextForward = node == nextForward ? node + 1 : nextForward;
    steps = length == steps.length ? Arrays.copyOf(steps, 2 * length) : steps;
    steps[length++] = node;
  }

  /** Leaves out runs whose values no later step reads before the next run. */
  private Word withoutUnread() {
    OrderProblem order = problem.order();
    var wanted = new BitSet();
    for (int value = 0; value < order.values(); value++) {
      wanted.set(value, order.isKept(value));
    }
    int[] runs = Word.of(Arrays.copyOf(steps, length)).runs(problem.nodes());
    int[] kept = new int[length];
    int at = length;
    for (int step = length - 1; step >= 0; step--) {
      int node = steps[step];
      boolean isRead = Arrays.stream(order.made(node)).anyMatch(wanted::get);
      if (isRead || runs[node] == 1) {
        kept[--at] = node;
        Arrays.stream(order.made(node)).forEach(wanted::clear);
        Arrays.stream(order.read(node)).forEach(wanted::set);
      } else {
        runs[node]--;
      }
    }
    return Word.of(Arrays.copyOfRange(kept, at, length));
  }
}
