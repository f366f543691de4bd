package dev.cairn.runtime.memory.recompute.offload;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the values that wait in the host's memory, so that a word keeps to a capacity. While a step holds too much,
 * the move over it is taken that relieves most for its time on the channels, of those whose copies the steps between
 * its uses hide. If no such copy is left, copies are moved toward their ends, and steps wait for them. In the end,
 * moves that are not needed are given up. Without a clock and without chance: equal problems have equal answers.
 */
public final class OffloadPlanner {
  /** Smaller values stay: to copy them takes longer than their bytes are worth. */
  public static final long LEAST_BYTES = 64 << 10;
  /** How many moves over one step are compared. */
  private static final int MOST_TRIED = 24;

  private final RecomputeProblem problem;
  private final Word word;
  private final long capacity;
  private final OffloadHints hints;
  private final CopyTimeline timeline;
  private final long[] work;
  /** For each step, the work of the steps before it. */
  private final double[] begins;
  private final long[] held;

  private OffloadPlanner(RecomputeProblem problem, Word word, long capacity, double workPerByte, OffloadHints hints) {
    this.problem = problem;
    this.hints = hints;
    this.word = word;
    this.capacity = capacity;
    this.work = new long[word.length()];
    this.begins = new double[work.length + 1];
    for (int step = 0; step < work.length; step++) {
      work[step] = problem.cost(word.node(step));
      begins[step + 1] = begins[step] + work[step];
    }
    this.timeline = new CopyTimeline(work, workPerByte);
    this.held = WordJudge.bytesByStep(problem, word);
  }

  /**
   * The moves that bring a word to a capacity, as cheaply as was found; where none do, those of the least peak.
   *
   * @param leastBytes values of fewer bytes stay on the device, unless a hint asks for their move
   * @param workPerByte the work that steps do while a byte is copied
   */
  public static OffloadAnswer plan(RecomputeProblem problem, Word word, long capacity, long leastBytes,
    double workPerByte) {
    return plan(problem, word, capacity, leastBytes, workPerByte, OffloadHints.NONE);
  }

  /**
   * Like {@link #plan(RecomputeProblem, Word, long, long, double)}, with values that must move, and values that must
   * not.
   */
  public static OffloadAnswer plan(RecomputeProblem problem, Word word, long capacity, long leastBytes,
    double workPerByte,
    OffloadHints hints) {
    var planner = new OffloadPlanner(problem, word, capacity, workPerByte, hints);
    return planner.answer(planner.chosen(planner.gaps(leastBytes)));
  }

  /**
   * The result of moves that the caller has chosen.
   *
   * @param workPerByte the work that steps do while a byte is copied
   */
  public static OffloadAnswer judged(RecomputeProblem problem, Word word, List<OffloadMove> moves, double workPerByte) {
    return new OffloadPlanner(problem, word, Long.MAX_VALUE, workPerByte, OffloadHints.NONE).answer(moves);
  }

  private OffloadAnswer answer(List<OffloadMove> moves) {
    long bytes = moves.stream().mapToLong(OffloadMove::bytes).sum();
    return new OffloadAnswer(moves, Arrays.stream(heldWith(moves)).max().orElse(0), bytes, Arrays.stream(work).sum(),
      timeline.taken(moves), 2 * timeline.copyWork(bytes));
  }

  /** The longest wait of each version of a value that may move. */
  private List<OffloadMove> gaps(long leastBytes) {
    OrderProblem order = problem.order();
    int[] lastUse = new int[order.values()];
    @Nullable
    OffloadMove[] longest = new OffloadMove[order.values()];
    List<OffloadMove> found = new ArrayList<>();
    for (int step = 0; step < word.length(); step++) {
      for (int value : order.read(word.node(step))) {
        OffloadMove known = longest[value];
        boolean isLonger = known == null || begins[step] - begins[lastUse[value] + 1] > begins[known.to()]
          - begins[known.from() + 1];
        if (step - lastUse[value] > 1 && isLonger) {
          longest[value] = new OffloadMove(value, order.bytes(value), lastUse[value], step, lastUse[value] + 1, step);
        }
        lastUse[value] = step;
      }
      for (int value : order.made(word.node(step))) {
        add(longest[value], leastBytes, found);
        longest[value] = null;
        lastUse[value] = step;
      }
    }
    for (OffloadMove move : longest) {
      add(move, leastBytes, found);
    }
    return found;
  }

  private void add(@Nullable OffloadMove move, long leastBytes, List<OffloadMove> found) {
    if (move != null && (move.bytes() >= leastBytes || hints.asks(move)) && !problem.order().isKept(move.value())
      && !hints.never().get(move.value())) {
      found.add(move);
    }
  }

  private List<OffloadMove> chosen(List<OffloadMove> gaps) {
    List<OffloadMove> left = new ArrayList<>(gaps);
    left.removeIf(hints::asks);
    List<OffloadMove> chosen = new ArrayList<>(placed(gaps.stream().filter(hints::asks).toList()));
    int over = fullest(chosen);
    while (over >= 0) {
      OffloadMove next = best(left, chosen, over);
      if (next == null) {
        break;
      }
      left.remove(next);
      chosen = new ArrayList<>(placed(with(chosen, List.of(next))));
      over = fullest(chosen);
    }
    while (over >= 0 && tighten(chosen, left, over)) {
      over = fullest(chosen);
    }
    return over >= 0 ? chosen : needed(chosen);
  }

  private long[] heldWith(List<OffloadMove> moves) {
    long[] left = held.clone();
    for (OffloadMove move : moves) {
      for (int step = move.out(); step < move.in(); step++) {
        left[step] -= move.bytes();
      }
    }
    return left;
  }

  /** The step that holds most, if it holds too much, or -1. */
  private int fullest(List<OffloadMove> moves) {
    long[] left = heldWith(moves);
    int most = -1;
    for (int step = 0; step < left.length; step++) {
      if (left[step] > capacity && (most < 0 || left[step] > left[most])) {
        most = step;
      }
    }
    return most;
  }

  /** The move over a step that relieves most for its time on the channels, hidden beside the others; or null. */
  private @Nullable OffloadMove best(List<OffloadMove> left, List<OffloadMove> chosen, int over) {
    long[] now = heldWith(chosen);
    List<OffloadMove> tried = left.stream().filter(it -> it.from() < over && over < it.to()).sorted(Comparator
      .comparingDouble(it -> begins[it.from() + 1] - begins[it.to()])).limit(MOST_TRIED).toList();
    OffloadMove best = null;
    double most = 0;
    for (OffloadMove move : tried) {
      List<OffloadMove> all = placed(with(chosen, List.of(move)));
      double relief = all.stream().noneMatch(it -> it.value() == move.value() && it.from() == move.from() && it
        .relieves(over))
          ? 0
          : relief(all, now) / move.bytes();
      if (relief > most) {
        most = relief;
        best = move;
      }
    }
    return best;
  }

  /** By how much work, times bytes, the steps that hold too much are relieved. */
  private double relief(List<OffloadMove> moves, long[] before) {
    long[] after = heldWith(moves);
    double relief = 0;
    for (int step = 0; step < after.length; step++) {
      relief += work[step] * (double) (Math.max(0, before[step] - capacity) - Math.max(0, after[step] - capacity));
    }
    return relief;
  }

  /**
   * The moves, with their copies so far apart that no step waits. A requested move that is too slow for that is moved
   * so that its step waits less.
   */
  private List<OffloadMove> placed(List<OffloadMove> moves) {
    List<OffloadMove> outs = new ArrayList<>(moves);
    outs.sort(Comparator.comparingInt(OffloadMove::from).thenComparingInt(OffloadMove::value));
    double free = 0;
    List<OffloadMove> gone = new ArrayList<>();
    for (OffloadMove move : outs) {
      free = Math.max(free, begins[move.from() + 1]) + timeline.copyWork(move.bytes());
      int out = firstAt(free, move.from() + 1, move.to());
      gone.add(move.at(out, move.to()));
    }
    gone.sort(Comparator.comparingInt(OffloadMove::to).thenComparingInt(OffloadMove::value).reversed());
    double next = Double.MAX_VALUE;
    List<OffloadMove> back = new ArrayList<>();
    for (OffloadMove move : gone) {
      next = Math.min(next, begins[move.to()]) - timeline.copyWork(move.bytes());
      OffloadMove hidden = move.at(move.out(), lastBefore(next, move.out(), move.to()));
      back.add(hints.asks(move) && hidden.out() == hidden.in() ? move.at(move.from() + 1, move.to()) : hidden);
    }
    back.sort(Comparator.comparingInt(OffloadMove::from).thenComparingInt(OffloadMove::value));
    return back;
  }

  /** The first step of a range that begins at a time or later; the range's end where none does. */
  private int firstAt(double time, int from, int to) {
    int step = from;
    while (step < to && begins[step] < time) {
      step++;
    }
    return step;
  }

  /** The last step of a range that begins at a time or earlier; the range's begin where none does. */
  private int lastBefore(double time, int from, int to) {
    int step = to;
    while (step > from && begins[step] > time) {
      step--;
    }
    return step;
  }

  /** Has one more move relieve a step, the one for which steps wait least; false when there is none. */
  private boolean tighten(List<OffloadMove> chosen, List<OffloadMove> left, int over) {
    OffloadMove best = null;
    OffloadMove was = null;
    double least = Double.MAX_VALUE;
    for (OffloadMove move : with(chosen, left)) {
      boolean isNew = left.contains(move);
      if (covers(move, over) && (isNew || !move.relieves(over))) {
        OffloadMove moved = tightened(move, over, isNew);
        double waits = waits(moved) / move.bytes();
        if (waits < least) {
          least = waits;
          best = moved;
          was = move;
        }
      }
    }
    if (best == null || was == null) {
      return false;
    }
    chosen.remove(was);
    left.remove(was);
    chosen.add(best);
    return true;
  }

  private static boolean covers(OffloadMove move, int step) {
    return move.from() < step && step < move.to();
  }

  private static List<OffloadMove> with(List<OffloadMove> moves, List<OffloadMove> more) {
    List<OffloadMove> all = new ArrayList<>(moves);
    all.addAll(more);
    return all;
  }

  private OffloadMove tightened(OffloadMove move, int over, boolean isNew) {
    if (isNew) {
      double copy = timeline.copyWork(move.bytes());
      int out = Math.min(over, firstAt(begins[move.from() + 1] + copy, move.from() + 1, move.to()));
      return move.at(out, Math.max(over + 1, lastBefore(begins[move.to()] - copy, out, move.to())));
    }
    return move.out() > over ? move.at(over, Math.max(move.in(), over + 1)) : move.at(move.out(), over + 1);
  }

  /** How long steps would wait for a move's copies alone. */
  private double waits(OffloadMove move) {
    double copy = timeline.copyWork(move.bytes());
    return Math.max(0, copy - (begins[move.out()] - begins[move.from() + 1])) + Math.max(0, copy - (begins[move.to()]
      - begins[move.in()]));
  }

  /** The moves that are needed, the costliest first. */
  private List<OffloadMove> needed(List<OffloadMove> moves) {
    List<OffloadMove> kept = new ArrayList<>(moves);
    List<OffloadMove> order = new ArrayList<>(moves);
    order.sort(Comparator.comparingDouble((OffloadMove it) -> -waits(it)).thenComparingLong(OffloadMove::bytes));
    for (OffloadMove move : order) {
      List<OffloadMove> without = new ArrayList<>(kept);
      without.remove(move);
      if (!hints.asks(move) && fullest(without) < 0) {
        kept = without;
      }
    }
    kept.sort(Comparator.comparingInt(OffloadMove::from).thenComparingInt(OffloadMove::value));
    return kept;
  }
}
