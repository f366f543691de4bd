package dev.cairn.runtime.memory.planner.inductor;

import java.util.Locale;

/** Inductor's {@code memory_pool}: which buffers share a pool, and which pools may grow. */
public enum PoolMode {
  /** Pools never grow: what fits into no pool gets one of its own, as every output does. */
  NONE,
  /** One pool that grows for what is no output; each output has its own, in which others may lie while it is dead. */
  INTERMEDIATES,
  /** Like {@link #INTERMEDIATES}, but one pool for all outputs. */
  OUTPUTS,
  /** One pool for all, outputs placed like the rest. */
  COMBINED;

  /** The planner's name in a plan: Inductor's default mode is not named. */
  String plannerName() {
    return this == INTERMEDIATES ? "allocation-tree" : "allocation-tree-" + name().toLowerCase(Locale.ROOT);
  }
}
