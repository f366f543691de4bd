package dev.cairn.runtime.engine.queue;

import java.util.List;
import java.util.function.Predicate;

/** Operations that one thread pushed one after the other, and of which some may run as one. For one thread. */
public interface FusibleRun {
  /** Adds the next operation. Returns false, and adds nothing, where it must not run together with those before it. */
  boolean add(Operation next);

  /** Whether the variable stands for a value that takes no memory before the run, nor by the run once it is deleted. */
  boolean isOnlyInside(Variable variable);

  /**
   * What is to run in place of the operations: some as they are, others as {@link FusedBody#operation}.
   *
   * @param isTouchedOutside whether an operation that is held back and is not of this run touches the variable
   * @return at least one operation; together they touch what the run's operations touch
   */
  List<Operation> operations(Predicate<Variable> isTouchedOutside);
}
