package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/**
 * How an operation is to be run, apart from what it does and touches; one object may serve many operations.
 *
 * @param overwrites whether it writes its variables without regard to their old values, so that it may run although
 *   these were never computed
 * @param site where it is pushed, for errors; null when the caller gave none
 */
record Traits(FunctionProperty property, ExecutionPlace place, int priority, boolean overwrites,
  @Nullable String site) {
  static final Traits DEFAULT = new Traits(FunctionProperty.NORMAL, ExecutionPlace.CPU, 0, false, null);
  static final Traits DELETE = DEFAULT.withProperty(FunctionProperty.DELETE);

  Traits withProperty(FunctionProperty other) {
    return new Traits(other, place, priority, overwrites, site);
  }

  Traits withPlace(ExecutionPlace other) {
    return new Traits(property, other, priority, overwrites, site);
  }

  Traits withPriority(int other) {
    return new Traits(property, place, other, overwrites, site);
  }

  Traits overwriting() {
    return new Traits(property, place, priority, true, site);
  }

  Traits at(String where) {
    return new Traits(property, place, priority, overwrites, where);
  }

  /** Whether operations like this may be put together into one. */
  boolean mayBeBulked() {
    return property == FunctionProperty.NORMAL && priority == 0;
  }
}
