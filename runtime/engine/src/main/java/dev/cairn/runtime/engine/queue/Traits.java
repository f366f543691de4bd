package dev.cairn.runtime.engine.queue;

import org.jspecify.annotations.Nullable;

/**
 * How an operation is to be run, apart from what it does and touches; one object may serve many operations.
 *
 * @param overwrites whether it writes its variables without regard to their old values, so that it may run although
 *   these were never computed
 * @param isBrief whether it takes a few microseconds, and neither waits nor pushes
 * @param site where it is pushed, for errors; null when the caller gave none
 */
record Traits(FunctionProperty property, ExecutionPlace place, int priority, boolean overwrites, boolean isBrief,
  @Nullable String site) {
  static final Traits DEFAULT = new Traits(FunctionProperty.NORMAL, ExecutionPlace.CPU, 0, false, false, null);
  static final Traits BRIEF = new Traits(FunctionProperty.NORMAL, ExecutionPlace.CPU, 0, false, true, null);
  static final Traits DELETE = DEFAULT.withProperty(FunctionProperty.DELETE);

  Traits withProperty(FunctionProperty other) {
    return new Traits(other, place, priority, overwrites, isBrief, site);
  }

  Traits withPlace(ExecutionPlace other) {
    return new Traits(property, other, priority, overwrites, isBrief, site);
  }

  Traits withPriority(int other) {
    return new Traits(property, place, other, overwrites, isBrief, site);
  }

  Traits overwriting() {
    return new Traits(property, place, priority, true, isBrief, site);
  }

  Traits at(String where) {
    return new Traits(property, place, priority, overwrites, isBrief, where);
  }
}
