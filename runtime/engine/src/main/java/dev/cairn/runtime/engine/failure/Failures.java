package dev.cairn.runtime.engine.failure;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The failures of an engine that no wait has thrown yet, in the order in which they happened. Thread-safe. */
public final class Failures {
  private final Set<FailureRecord> untold;
  /** Stands for all that the heap had no room for when they happened; what depends on them must not run either. */
  private final FailureRecord unnamed = FailureRecord.unnamed();
  private boolean isUnnamedUntold;

  public Failures() {
    this(new LinkedHashSet<>());
  }

  /** @param untold empty, and in the order of additions */
  public Failures(Set<FailureRecord> untold) {
    this.untold = untold;
  }

  /** Keeps a failure for the next wait. Returns its record, or one for all where the heap has no room. */
  public synchronized FailureRecord add(NamedWork operation, Throwable cause) {
    try {
      var failure = new FailureRecord(operation, cause);
      untold.add(failure);
      return failure;
    } catch (OutOfMemoryError e) {
      return addUnnamed();
    }
  }

  private FailureRecord addUnnamed() {
    isUnnamedUntold = true;
    return unnamed;
  }

  /** Notes that a caller learns of the failure now; does nothing when one has learnt of it before. */
  @SuppressWarnings("ReferenceEquality")
  public synchronized void tell(FailureRecord failure) {
    if (failure == unnamed) {
      isUnnamedUntold = false;
    } else {
      untold.remove(failure);
    }
  }

  private synchronized List<FailureRecord> takeAll() {
    var all = new ArrayList<>(untold);
    if (isUnnamedUntold) {
      all.add(unnamed);
    }
    untold.clear();
    isUnnamedUntold = false;
    return all;
  }

  /** Throws the first failure that no wait has thrown, with the others; all of them count as thrown then. */
  public void throwAll() {
    OperationFailed thrown = null;
    for (FailureRecord failure : takeAll()) {
      if (thrown == null) {
        thrown = failure.thrown();
      } else {
        thrown.addSuppressed(failure.suppressed());
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  /**
   * Throws when there is a reason why the variable's value was not computed, every time anew: the value is never there.
   */
  public void throwIfPoisoned(Object variable, @Nullable FailureRecord poison) {
    if (poison != null) {
      tell(poison);
      throw poison.thrown(variable);
    }
  }
}
