package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.ProblemCsv;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A plan as CSV in MiniMalloc's format, as {@link ProblemCsv#writeSolved} writes it. Commas and line breaks in a name,
 * which the format cannot carry, become {@code _}; names stay unique.
 */
public final class PlanCsv {
  private PlanCsv() {}

  /** The text of the file. */
  public static String text(PlanView view) {
    MemoryProblem problem = view.problem();
    List<Buffer> buffers = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (Buffer buffer : problem.buffers()) {
      buffers.add(buffer.withName(unique(buffer.name(), taken)));
    }
    return ProblemCsv.writeSolved(new MemoryProblem(buffers), view.plan());
  }

  private static String unique(String name, Set<String> taken) {
    String plain = name.strip().replaceAll("[,\\p{Cntrl}\\u0085\\u2028\\u2029]", "_");
    String unique = plain;
    for (int number = 2; !taken.add(unique); number++) {
      unique = plain + "#" + number;
    }
    return unique;
  }
}
