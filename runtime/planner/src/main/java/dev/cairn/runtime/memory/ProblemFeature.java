package dev.cairn.runtime.memory;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Features of problems that not every planner supports. */
public enum ProblemFeature {
  /** {@link Buffer#fixedOffset()}. */
  FIXED_OFFSETS,
  /** {@link Buffer#gaps()}; a planner may also keep a buffer's bytes during its gaps. */
  GAPS,
  /** {@link Buffer#device()} other than 0. */
  DEVICES,
  /** {@link MemoryProblem#groups()}. */
  GROUPS,
  /** {@link MemoryProblem#conflicts()}. */
  CONFLICTS;

  /** All features that the problem uses. */
  public static Set<ProblemFeature> of(MemoryProblem problem) {
    Set<ProblemFeature> found = EnumSet.noneOf(ProblemFeature.class);
    for (Buffer buffer : problem.buffers()) {
      if (!buffer.constraints().equals(Constraints.NONE)) {
        found.addAll(of(buffer));
      }
    }
    if (!problem.groups().isEmpty()) {
      found.add(GROUPS);
    }
    if (!problem.conflicts().isEmpty()) {
      found.add(CONFLICTS);
    }
    return found;
  }

  /**
   * Checks that a planner supports the problem's features; planners call it first.
   *
   * @throws IllegalArgumentException naming the planner and the unsupported features, if there are any
   */
  public static void requireOnly(String planner, MemoryProblem problem, ProblemFeature... honoured) {
    Set<ProblemFeature> refused = of(problem);
    refused.removeAll(Arrays.asList(honoured));
    if (!refused.isEmpty()) {
      throw new IllegalArgumentException("planner does not support the problem's features: planner=%s features=%s"
        .formatted(planner, refused));
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Set<ProblemFeature> of(Buffer buffer) {
    Set<ProblemFeature> found = EnumSet.noneOf(ProblemFeature.class);
    if (buffer.fixedOffset().isPresent()) {
      found.add(FIXED_OFFSETS);
    }
    if (!buffer.gaps().isEmpty()) {
      found.add(GAPS);
    }
    if (buffer.device() != 0) {
      found.add(DEVICES);
    }
    return found;
  }
}
