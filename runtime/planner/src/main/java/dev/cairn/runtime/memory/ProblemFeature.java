package dev.cairn.runtime.memory;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a problem may ask for that not every planner can honour. */
public enum ProblemFeature {
  /** {@link Buffer#fixedOffset()}. */
  FIXED_OFFSETS,
  /** {@link Buffer#gaps()}; a planner that holds a buffer through its gaps is valid too. */
  GAPS,
  /** {@link Buffer#device()} other than 0. */
  DEVICES,
  /** {@link MemoryProblem#groups()}. */
  GROUPS,
  /** {@link MemoryProblem#conflicts()}. */
  CONFLICTS;

  /** All that the problem asks for. */
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
   * What a planner calls first.
   *
   * @throws IllegalArgumentException naming planner and features, when the problem asks for any that is not honoured
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
