package dev.cairn.runtime.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operation touches: variables it reads, and variables it writes and may read too. Checked and sorted when it
 * is made, so that one footprint in many pushes costs that once. A variable read twice counts once. Immutable.
 */
public final class Footprint implements Touched {
  /** Touches nothing. */
  public static final Footprint NONE = new Footprint(new Variable[0], 0, null);

  /** All variables in the order in which a push locks them: the same for all pushes, or two could wait in a ring. */
  private final Variable[] ordered;
  /** The one variable where there is just one, as mostly: a fetch less than from the array. */
  private final @Nullable Variable only;
  /** Which of up to 64 are written, one bit each; an object less to fetch for the thread that runs the operation. */
  private final long written;
  /** Which of more are written; null where there are no more. */
  private final @Nullable BitSet writtenOfMany;

  private Footprint(Variable[] ordered, long written, @Nullable BitSet writtenOfMany) {
    this.ordered = ordered;
    this.only = ordered.length == 1 ? ordered[0] : null;
    this.written = written;
    this.writtenOfMany = writtenOfMany;
  }

  /** A footprint of one variable. */
  static Footprint single(Variable variable, boolean write) {
    return new Footprint(new Variable[] {variable}, write ? 1 : 0, null);
  }

  /**
   * Of variables in the order of their numbers, each once; array and set become the footprint's.
   *
   * @param written which of them are written, where they are 64 or less
   * @param writtenOfMany the same where they are more
   */
  static Footprint ofOrdered(Variable[] ordered, long written, @Nullable BitSet writtenOfMany) {
    return new Footprint(ordered, written, writtenOfMany);
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
   * As {@link #of(List, List)}, without lists.
   *
   * @param variables those that are written, then those that are read; becomes the footprint's
   * @param writes how many are written
   */
  public static Footprint of(Variable[] variables, int writes) {
    return switch (variables.length) {
      case 0 -> NONE;
      case 1 -> variables[0].footprint(writes == 1);
      default -> FootprintMaker.of(variables, writes);
    };
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
    return of(List.of(variables), List.of());
  }

  public static Footprint writing(Variable... variables) {
    return of(List.of(), List.of(variables));
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

  /** The one variable; null when there are more, or none. */
  @Nullable
  Variable only() {
    return only;
  }

  @Override
  public int size() {
    return ordered.length;
  }

  @Override
  public Variable variable(int index) {
    return ordered[index];
  }

  @Override
  public Footprint footprint() {
    return this;
  }

  @Override
  public boolean isWritten(int index) {
    BitSet many = writtenOfMany;
    return many == null ? (written >>> index & 1) != 0 : many.get(index);
  }

  boolean writes(Variable variable) {
    for (int i = 0; i < ordered.length; i++) {
      if (ordered[i].equals(variable)) {
        return isWritten(i);
      }
    }
    return false;
  }

  /** Puts the block at the end of the queue of each variable, in one step as others see it; says how many are free. */
  int append(OperationBlock block) {
    if (only != null) {
      return only.append(block, isWritten(0)) ? 1 : 0;
    }
    lockAll(block);
    Variable[] all = ordered;
    int free = 0;
    for (int i = 0; i < all.length; i++) {
      free += all[i].appendAndUnlock(block, isWritten(i)) ? 1 : 0;
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

  /** Leaves every variable; adds whatever may go now to the ready ones. */
  @Nullable
  OperationBlock leave(@Nullable OperationBlock ready) {
    if (only != null) {
      return isWritten(0) ? only.endWrite(ready) : only.endRead(ready);
    }
    OperationBlock last = ready;
    Variable[] all = ordered;
    for (int i = 0; i < all.length; i++) {
      last = isWritten(i) ? all[i].endWrite(last) : all[i].endRead(last);
    }
    return last;
  }

  /** For a thread that runs alone: what the end of one operation changes. */
  void countWrites() {
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i)) {
        ordered[i].countWrite();
      }
    }
  }

  /**
   * Why a variable has no value; null if all have one. Variables that are read come before those that are written.
   */
  @Nullable
  FailureRecord poison(boolean alsoOfWrites) {
    if (only != null) {
      return only.poison() == null ? null : poisonOf(alsoOfWrites);
    }
    for (Variable variable : ordered) {
      if (variable.poison() != null) {
        return poisonOf(alsoOfWrites);
      }
    }
    return null;
  }

  private @Nullable FailureRecord poisonOf(boolean alsoOfWrites) {
    FailureRecord ofReads = poisonOfThose(false);
    return ofReads != null || !alsoOfWrites ? ofReads : poisonOfThose(true);
  }

  private @Nullable FailureRecord poisonOfThose(boolean write) {
    for (int i = 0; i < ordered.length; i++) {
      FailureRecord poison = ordered[i].poison();
      if (poison != null && isWritten(i) == write) {
        return poison;
      }
    }
    return null;
  }

  /** Says of everything written that it was not computed, and why; null: that it was. */
  void setPoison(@Nullable FailureRecord poison) {
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i)) {
        ordered[i].setPoison(poison);
      }
    }
  }

  /** The marks that streams must have passed before an operation may touch the variables as this says. */
  List<StreamMark> marks() {
    List<StreamMark> awaited = new ArrayList<>();
    for (int i = 0; i < ordered.length; i++) {
      VariableMarks marks = ordered[i].marks();
      if (marks != null) {
        marks.addTo(awaited, isWritten(i));
      }
    }
    return awaited;
  }

  /** The operation has been given to a stream, and ends at that mark. */
  void leaveMarks(StreamMark end, StreamOutcome outcome) {
    for (int i = 0; i < ordered.length; i++) {
      if (isWritten(i)) {
        ordered[i].ownMarks().wrote(end, outcome);
      } else {
        ordered[i].ownMarks().read(end);
      }
    }
  }

  /** For the host, when all marks have passed: from here on, what is written is the host's alone. */
  void takeOverFromStreams() {
    for (int i = 0; i < ordered.length; i++) {
      VariableMarks marks = ordered[i].marks();
      if (marks != null && isWritten(i)) {
        ordered[i].setPoison(ordered[i].poison());
        marks.wroteOnHost();
      }
    }
  }
}
