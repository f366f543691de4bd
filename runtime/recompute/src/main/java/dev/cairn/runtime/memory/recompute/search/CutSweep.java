package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.recompute.JustInTime;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.cut.CutWork;
import dev.cairn.runtime.memory.recompute.cut.OneCut;
import dev.cairn.runtime.memory.recompute.cut.OneCut.SavedSet;
import dev.cairn.runtime.memory.recompute.cut.RecomputeBound;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Words to start from: at one node, the cheapest set of values to save; after it, recomputations just in time. The room
 * given to the saved values is bisected until the word's peak is within the budget.
 */
final class CutSweep {
  private static final int HALVINGS = 8;

  private CutSweep() {}

  /** The best word of each node to cut at. */
  static List<Word> words(RecomputeProblem problem, long budget, CutWork work) {
    List<Word> words = new ArrayList<>();
    for (int node : RecomputeBound.candidates(problem)) {
      if (!work.isSpent()) {
        words.addAll(words(problem, budget, new OneCut(problem, node), work));
      }
    }
    return words;
  }

  private static List<Word> words(RecomputeProblem problem, long budget, OneCut cut, CutWork work) {
    List<Word> words = new ArrayList<>();
    long most = cut.room(budget);
    long fits = 0;
    long tooMuch = most;
    long room = most;
    for (int i = 0; i < HALVINGS && !work.isSpent(); i++) {
      SavedSet set = cut.split(room, work).set();
      boolean isWithin = false;
      if (set != null) {
        var dropped = new BitSet();
        for (int value = 0; value < problem.order().values(); value++) {
          int producer = problem.order().producer(value);
          // A node beside the cut (neither before nor after it in every order) may still read values that are not
          // saved.
          dropped.set(value, cut.before().get(producer) && !set.saved().get(value) && !problem.runsOnce(producer));
        }
        Optional<Word> word = JustInTime.word(problem, problem.givenOrder().steps(), cut.node(), dropped);
        word.ifPresent(words::add);
        isWithin = word.isPresent() && WordJudge.peak(problem, word.get()) <= budget;
      }
      if (isWithin && room == most) {
        return words;
      }
      fits = isWithin ? room : fits;
      tooMuch = isWithin ? tooMuch : room;
      room = fits + (tooMuch - fits) / 2;
    }
    return words;
  }
}
