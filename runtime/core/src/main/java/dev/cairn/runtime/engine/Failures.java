package dev.cairn.runtime.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The failures of an engine that nobody was told of yet, in the order in which they happened. Thread-safe. */
final class Failures {
  private final Set<Failure> untold = new LinkedHashSet<>();

  synchronized Failure add(Operation operation, Throwable cause) {
    var failure = new Failure(operation, cause);
    untold.add(failure);
    return failure;
  }

  /** Somebody is told of it now; does nothing when somebody was before. */
  synchronized void tell(Failure failure) {
    untold.remove(failure);
  }

  private synchronized List<Failure> takeAll() {
    var all = new ArrayList<>(untold);
    untold.clear();
    return all;
  }

  /** Throws the first failure that nobody was told of, with the others; all of them count as told then. */
  void throwAll() {
    OperationFailed thrown = null;
    for (Failure failure : takeAll()) {
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

  /** Throws when the variable's value was not computed, every time anew: the value is never there. */
  void throwIfPoisoned(Variable variable) {
    @Nullable
    Failure poison = variable.poison();
    if (poison != null) {
      tell(poison);
      throw poison.thrown(variable);
    }
  }
}
