package dev.cairn.runtime.memory.recompute.chen;

import dev.cairn.runtime.memory.recompute.ForwardChain;
import dev.cairn.runtime.memory.recompute.JustInTime;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checkpoints after Chen and others 2016: of the forward values, only those of some articulation points are held. The
 * gradients of a segment between two of them run the segment again; the last segment is held as a whole.
 */
public final class ChenWords {
  private static final int THRESHOLDS = 60;
  private static final int LEAST_POINTS = 3;

  private final ForwardChain chain;
  private final int[] points;

  private ChenWords(ForwardChain chain) {
    this.chain = chain;
    points = chain.points().length < LEAST_POINTS ? chain.problem().givenOrder().steps() : chain.points();
  }

  /**
   * The words of both rules, the cheapest first.
   *
   * @param border how many nodes are forward: the first ones of the given order
   */
  public static List<Word> words(RecomputeProblem problem, int border) {
    return Stream.concat(sqrt(problem, border).stream(), greedy(problem, border).stream()).sorted(Comparator
      .comparingLong(word -> WordJudge.cost(problem, word))).toList();
  }

  /**
   * A checkpoint at every ⌊√n⌋-th of n articulation points; empty where a node would run again too late.
   *
   * @param border how many nodes are forward: the first ones of the given order
   */
  public static Optional<Word> sqrt(RecomputeProblem problem, int border) {
    return new ChenWords(ForwardChain.of(problem, border)).sqrt();
  }

  /**
   * The greedy rule for a range of thresholds, parts of what {@link #sqrt} takes from 0 to 2.95: bytes are added up in
   * order, and the next articulation point above the threshold is a checkpoint.
   */
  public static List<Word> greedy(RecomputeProblem problem, int border) {
    var chen = new ChenWords(ForwardChain.of(problem, border));
    long peak = chen.sqrt().map(word -> WordJudge.peak(problem, word)).orElse(0L);
    List<Word> words = new ArrayList<>();
    for (int i = 0; i < THRESHOLDS; i++) {
      chen.greedy(peak * i / 20).filter(word -> !words.contains(word)).ifPresent(words::add);
    }
    return words;
  }

  private Optional<Word> sqrt() {
    var checkpoints = new BitSet();
    int count = forwardPoints();
    int every = Math.max(1, (int) Math.sqrt(count));
    for (int i = every - 1; i < count; i += every) {
      checkpoints.set(points[i]);
    }
    return word(checkpoints);
  }

  private Optional<Word> greedy(long threshold) {
    var checkpoints = new BitSet();
    long sum = 0;
    int next = 0;
    for (int node = 0; node < chain.border(); node++) {
      for (int value : chain.problem().order().made(node)) {
        sum += chain.problem().order().bytes(value);
      }
      if (next < points.length && points[next] == node) {
        next++;
        if (sum > threshold) {
          checkpoints.set(node);
          sum = 0;
        }
      }
    }
    return word(checkpoints);
  }

  private int forwardPoints() {
    return Math.min(points.length, chain.border());
  }

  private Optional<Word> word(BitSet checkpoints) {
    RecomputeProblem problem = chain.problem();
    var dropped = new BitSet();
    int last = checkpoints.length() - 1;
    for (int value = 0; value < problem.order().values(); value++) {
      int node = problem.order().producer(value);
      dropped.set(value, node < last && !checkpoints.get(node) && !problem.runsOnce(node));
    }
    return JustInTime.word(problem, problem.givenOrder().steps(), chain.border(), dropped);
  }
}
