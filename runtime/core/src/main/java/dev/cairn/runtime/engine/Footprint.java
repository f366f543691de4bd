package dev.cairn.runtime.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operation touches: variables it reads, and variables it writes and may read too. Checked and sorted when it
 * is made, so that one footprint in many pushes costs that once. A variable read twice counts once. Immutable.
 */
public final class Footprint {
  private static final Variable[] NO_VARIABLES = {};
  private static final Comparator<Variable> BY_NUMBER = Comparator.comparingLong(Variable::number);

  /** Touches nothing. */
  public static final Footprint NONE = new Footprint(List.of(), List.of());

  private final Variable[] reads;
  private final Variable[] writes;
  /** All of them in the order in which a push locks them: the same for everybody, or two could wait in a ring. */
  private final Variable[] ordered;
  private final boolean[] written;

  private Footprint(List<Variable> reads, List<Variable> writes) {
    this.writes = writes.toArray(Variable[]::new);
    this.reads = reads.stream().distinct().toArray(Variable[]::new);
    this.ordered = Arrays.copyOf(this.writes, this.writes.length + this.reads.length);
    System.arraycopy(this.reads, 0, ordered, this.writes.length, this.reads.length);
    Arrays.sort(ordered, BY_NUMBER);
    refuseDuplicates();
    this.written = new boolean[ordered.length];
    for (Variable variable : this.writes) {
      written[Arrays.binarySearch(ordered, variable, BY_NUMBER)] = true;
    }
  }

  private Footprint(Variable[] reads, Variable[] writes, Variable[] ordered, boolean[] written) {
    this.reads = reads;
    this.writes = writes;
    this.ordered = ordered;
    this.written = written;
  }

  /** @throws IllegalArgumentException when a variable is written twice, or both read and written */
  public static Footprint of(List<Variable> reads, List<Variable> writes) {
    return reads.isEmpty() && writes.isEmpty() ? NONE : new Footprint(reads, writes);
  }

  public static Footprint reading(Variable... variables) {
    return of(List.of(variables), List.of());
  }

  public static Footprint writing(Variable... variables) {
    return of(List.of(), List.of(variables));
  }

  /** Of variables in the order of their numbers, each once; the arrays become the footprint's. */
  static Footprint ofOrdered(Variable[] ordered, boolean[] written) {
    int count = 0;
    for (boolean it : written) {
      count += it ? 1 : 0;
    }
    if (count == ordered.length) {
      return new Footprint(NO_VARIABLES, ordered, ordered, written);
    }
    var writes = new Variable[count];
    var reads = new Variable[ordered.length - count];
    int write = 0;
    int read = 0;
    for (int i = 0; i < ordered.length; i++) {
      if (written[i]) {
        writes[write++] = ordered[i];
      } else {
        reads[read++] = ordered[i];
      }
    }
    return new Footprint(reads, writes, ordered, written);
  }

  private void refuseDuplicates() {
    for (int i = 1; i < ordered.length; i++) {
      if (ordered[i] == ordered[i - 1]) {
        throw new IllegalArgumentException("a variable twice in one operation: variable=%s reads=%s writes=%s"
          .formatted(ordered[i], Arrays.toString(reads), Arrays.toString(writes)));
      }
    }
  }

  public List<Variable> reads() {
    return List.of(reads);
  }

  public List<Variable> writes() {
    return List.of(writes);
  }

  int size() {
    return ordered.length;
  }

  Variable variable(int index) {
    return ordered[index];
  }

  boolean isWritten(int index) {
    return written[index];
  }

  /** Puts the block at the end of the queue of each variable, in one step as others see it; says how many are free. */
  int append(Block block) {
    Variable[] all = ordered;
    boolean[] write = written;
    if (all.length == 1) {
      return all[0].append(block, write[0]) ? 1 : 0;
    }
    for (Variable variable : all) {
      variable.lock();
    }
    int free = 0;
    for (int i = 0; i < all.length; i++) {
      free += all[i].appendAndUnlock(block, write[i]) ? 1 : 0;
    }
    return free;
  }

  /** Leaves every variable; adds whatever may go now to the ready ones. */
  @Nullable
  Block leave(@Nullable Block ready) {
    Block last = ready;
    Variable[] all = ordered;
    boolean[] write = written;
    for (int i = 0; i < all.length; i++) {
      last = write[i] ? all[i].endWrite(last) : all[i].endRead(last);
    }
    return last;
  }

  /** For who runs alone: what the end of one operation changes. */
  void countWrites() {
    for (Variable variable : writes) {
      variable.countWrite();
    }
  }

  /** Why the first value that was never computed was not; what is read goes before what is written. */
  @Nullable
  Failure poison(boolean alsoOfWrites) {
    for (Variable variable : reads) {
      Failure poison = variable.poison();
      if (poison != null) {
        return poison;
      }
    }
    if (alsoOfWrites) {
      for (Variable variable : writes) {
        Failure poison = variable.poison();
        if (poison != null) {
          return poison;
        }
      }
    }
    return null;
  }

  /** Says of everything written that it was not computed, and why; null: that it was. */
  void setPoison(@Nullable Failure poison) {
    for (Variable variable : writes) {
      variable.setPoison(poison);
    }
  }

  /** @throws IllegalStateException when one of the variables is deleted */
  void requireAlive(Operation operation) {
    for (Variable variable : ordered) {
      if (variable.isDeleted()) {
        throw new IllegalStateException("a deleted variable: operation=%s variable=%s".formatted(operation.name(),
          variable));
      }
    }
  }
}
