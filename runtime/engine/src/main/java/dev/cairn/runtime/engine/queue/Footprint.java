package dev.cairn.runtime.engine.queue;

import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.stream.StreamMark;
import dev.cairn.runtime.engine.stream.StreamOutcome;
import dev.cairn.runtime.engine.stream.VariableMarks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operation touches: variables it reads, and variables it writes and may read too. Checked and sorted when it
 * is made, so that one footprint in many pushes costs that once. A variable read twice counts once. Immutable.
 */
public final class Footprint {
  /** Touches nothing. */
  public static final Footprint NONE = new Footprint(new Variable[0], 0, null);

  private static final Comparator<Variable> BY_NUMBER = Comparator.comparingLong(Variable::number);

  /** Up to so many are sorted by insertion, which is several times as fast as a general sort. */
  private static final int FEW = 16;

  /** All variables in the order in which a push locks them: the same for all pushes, or two could wait in a ring. */
  private final Variable[] ordered;
  /** The one variable where there is just one, as mostly: a fetch less than from the array. */
  private final @Nullable Variable only;
  /** Which of up to 64 are written, one bit each; an object less for each operation. */
  private final long written;
  /** Which of more are written; null where there are no more. */
  private final boolean @Nullable [] writtenOfMany;

  private Footprint(Variable[] ordered, long written, boolean @Nullable [] writtenOfMany) {
    this.ordered = ordered;
    this.only = ordered.length == 1 ? ordered[0] : null;
    this.written = written;
    this.writtenOfMany = writtenOfMany;
  }

  /**
   * A footprint of variables in the order of their numbers, each once; it keeps the arrays.
   *
   * @param written which of them are written
   */
  static Footprint ofOrdered(Variable[] ordered, boolean[] written) {
    if (ordered.length > Long.SIZE) {
      return new Footprint(ordered, 0, written);
    }
    long bits = 0;
    for (int i = 0; i < ordered.length; i++) {
      bits |= (written[i] ? 1L : 0) << i;
    }
    return new Footprint(ordered, bits, null);
  }

  /** A new one of one variable. */
  static Footprint of(Variable variable, boolean write) {
    return new Footprint(new Variable[] {variable}, write ? 1 : 0, null);
  }

  /** @throws IllegalArgumentException when a variable is written twice, or both read and written */
  public static Footprint of(List<Variable> reads, List<Variable> writes) {
    var all = new Variable[reads.size() + writes.size()];
    int at = 0;
    for (int i = 0; i < writes.size(); i++) {
      all[at++] = writes.get(i);
    }
    for (int i = 0; i < reads.size(); i++) {
      all[at++] = reads.get(i);
    }
    return of(all, writes.size());
  }

  /**
   * Like {@link #of(List, List)}, without lists.
   *
   * @param variables those that are written, then those that are read; becomes the footprint's
   * @param writes how many are written
   */
  public static Footprint of(Variable[] variables, int writes) {
    if (variables.length <= 1) {
      return variables.length == 0 ? NONE : variables[0].footprint(writes == 1);
    }
    return variables.length <= FEW ? ofFew(variables, writes) : ofMany(variables, writes);
  }

  private static Footprint ofFew(Variable[] variables, int writes) {
    long written = 0;
    for (int i = 0; i < variables.length; i++) {
      Variable variable = variables[i];
      int at = i;
      for (; at > 0 && variables[at - 1].number() > variable.number(); at--) {
        variables[at] = variables[at - 1];
      }
      variables[at] = variable;
      long below = (1L << at) - 1;
      written = (written & below) | (i < writes ? 1L << at : 0) | (written & ~below) << 1;
    }
    var sorted = new Footprint(variables, written, null);
    for (int i = 1; i < variables.length; i++) {
      if (is(variables[i], variables, i - 1)) {
        return distinct(sorted);
      }
    }
    return sorted;
  }

  private static Footprint ofMany(Variable[] variables, int writes) {
    Variable[] writers = Arrays.copyOf(variables, writes);
    Arrays.sort(variables, BY_NUMBER);
    var written = new boolean[variables.length];
    for (Variable variable : writers) {
      written[Arrays.binarySearch(variables, variable, BY_NUMBER)] = true;
    }
    return distinct(new Footprint(variables, 0, written));
  }

  /** @param all in order, where variables that are only read may be there several times */
  private static Footprint distinct(Footprint all) {
    var ordered = new Variable[all.size()];
    var written = new boolean[all.size()];
    int count = 0;
    for (int i = 0; i < all.size(); i++) {
      Variable variable = all.variable(i);
      if (!is(variable, ordered, count - 1)) {
        ordered[count] = variable;
        written[count++] = all.isWritten(i);
      } else if (all.isWritten(i) || written[count - 1]) {
        throw new IllegalArgumentException("a variable twice in one operation, and written: variable=" + variable);
      }
    }
    return ofOrdered(Arrays.copyOf(ordered, count), Arrays.copyOf(written, count));
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean is(Variable variable, Variable[] all, int at) {
    return at >= 0 && at < all.length && all[at] == variable;
  }

  /** Always the same one for a variable. */
  public static Footprint reading(Variable variable) {
    return variable.footprint(false);
  }

  /** Always the same one for a variable. */
  public static Footprint writing(Variable variable) {
    return variable.footprint(true);
  }

  public static Footprint reading(Variable... variables) {
    return of(variables.clone(), 0);
  }

  public static Footprint writing(Variable... variables) {
    return of(variables.clone(), variables.length);
  }

  /** In the order in which they were made. */
  public List<Variable> reads() {
    return those(false);
  }

  /** In the order in which they were made. */
  public List<Variable> writes() {
    return those(true);
  }

  private List<Variable> those(boolean write) {
    List<Variable> those = new ArrayList<>();
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i) == write) {
        those.add(ordered[i]);
      }
    }
    return List.copyOf(those);
  }

  /** The number of variables. */
  public int size() {
    return ordered.length;
  }

  /** The variable with this number, from 0, in the order in which they were made. */
  public Variable variable(int index) {
    return ordered[index];
  }

  /** Whether the variable with this number is written; if not, it is read. */
  public boolean isWritten(int index) {
    boolean[] many = writtenOfMany;
    return many == null ? (written >>> index & 1) != 0 : many[index];
  }

  /** Whether the variable is one of these. */
  public boolean touches(Variable variable) {
    return is(variable, ordered, Arrays.binarySearch(ordered, variable, BY_NUMBER));
  }

  /** Whether the variable is one of these, and written. */
  public boolean writes(Variable variable) {
    int at = Arrays.binarySearch(ordered, variable, BY_NUMBER);
    return is(variable, ordered, at) && isWritten(at);
  }

  /** Puts the block at the end of the queue of each variable, in one step as others see it; says how many are free. */
  int append(OperationBlock block) {
    if (only != null) {
      return only.append(block, written != 0) ? 1 : 0;
    }
    lockAll(block);
    int free = 0;
    for (int i = 0; i < ordered.length; i++) {
      free += ordered[i].appendAndUnlock(block, isWritten(i)) ? 1 : 0;
    }
    return free;
  }

  private void lockAll(OperationBlock block) {
    int locked = 0;
    try {
      for (; locked < ordered.length; locked++) {
        ordered[locked].lockWithRoom(block, isWritten(locked));
      }
    } catch (Throwable e) {
      while (locked > 0) {
        ordered[--locked].unlockUnchanged();
      }
      throw e;
    }
  }

  /**
   * Leaves every variable; adds the blocks that may go now to the ready ones.
   *
   * @param ready the last of a ring of blocks; null for none
   */
  public @Nullable OperationBlock leave(@Nullable OperationBlock ready) {
    if (only != null) {
      return written != 0 ? only.endWrite(ready) : only.endRead(ready);
    }
    OperationBlock last = ready;
    for (int i = 0; i < ordered.length; i++) {
      last = isWritten(i) ? ordered[i].endWrite(last) : ordered[i].endRead(last);
    }
    return last;
  }

  /** For a thread that runs alone: what the end of one operation changes. */
  public void countWrites() {
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i)) {
        ordered[i].countWrite();
      }
    }
  }

  /** Why a variable has no value; null if all have one. Variables that are read come before those that are written. */
  public @Nullable FailureRecord poison(boolean alsoOfWrites) {
    FailureRecord ofWrites = null;
    for (int i = 0; i < ordered.length; i++) {
      FailureRecord poison = ordered[i].poison();
      if (poison != null && !isWritten(i)) {
        return poison;
      }
      ofWrites = ofWrites == null ? poison : ofWrites;
    }
    return alsoOfWrites ? ofWrites : null;
  }

  /** Says of everything written that it was not computed, and why; null: that it was. */
  public void setPoison(@Nullable FailureRecord poison) {
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i)) {
        ordered[i].setPoison(poison);
      }
    }
  }

  /** The marks that streams must have passed before an operation may touch the variables as this says. */
  public List<StreamMark> marks() {
    List<StreamMark> awaited = new ArrayList<>();
    for (int i = 0; i < ordered.length; i++) {
      VariableMarks marks = ordered[i].marks();
      if (marks != null) {
        marks.addTo(awaited, isWritten(i));
      }
    }
    return awaited;
  }

  /** What becomes of stream work whose values an operation needs: old values of what it overwrites are not needed. */
  public List<StreamOutcome> outcomes(boolean alsoOfWrites) {
    return outcomes(alsoOfWrites, Map.of());
  }

  /**
   * As {@link #outcomes(boolean)}, where operations that are not given to a stream yet come in between.
   *
   * @param newer what becomes of variables that these write
   */
  public List<StreamOutcome> outcomes(boolean alsoOfWrites, Map<Variable, StreamOutcome> newer) {
    List<StreamOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < ordered.length; i++) {
      VariableMarks marks = ordered[i].marks();
      StreamOutcome outcome = newer.getOrDefault(ordered[i], marks == null ? null : marks.outcome());
      if (outcome != null && (alsoOfWrites || !isWritten(i))) {
        outcomes.add(outcome);
      }
    }
    return outcomes;
  }

  /** The operation has been given to a stream, and ends at that mark. */
  public void leaveMarks(StreamMark end, StreamOutcome outcome) {
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i)) {
        ordered[i].ownMarks().wrote(end, outcome);
      } else {
        ordered[i].ownMarks().read(end);
      }
    }
  }

  /** Called by the host when all marks have passed: from here on, the host alone has the variables that are written. */
  public void takeOverFromStreams() {
    for (int i = 0; i < ordered.length; i++) {
      VariableMarks marks = ordered[i].marks();
      if (marks != null && isWritten(i)) {
        ordered[i].setPoison(ordered[i].poison());
        marks.wroteOnHost();
      }
    }
  }
}
