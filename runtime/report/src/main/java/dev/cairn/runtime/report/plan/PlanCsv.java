package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A plan as CSV in MiniMalloc's format: the rows of its problem with a column {@code offset}. Lifetimes are those that
 * were planned. A plan of several pools is written as one arena, its pools end to end. What the format cannot carry in
 * a name, commas and line breaks, becomes {@code _}; names stay unique.
 */
public final class PlanCsv {
  private PlanCsv() {}

  /** The text of the file. */
  public static String text(PlanView view) {
    MemoryProblem problem = view.problem();
    boolean aligned = problem.buffers().stream().anyMatch(buffer -> buffer.alignment() != 1);
    StringBuilder text = new StringBuilder("id,lower,upper,size").append(aligned ? ",alignment" : "")
      .append(",offset\n");
    List<Lifetime> held = problem.held();
    PoolStack stack = PoolStack.of(view.plan());
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      text.append(unique(buffer.name(), taken)).append(',').append(held.get(i).first()).append(',')
        .append(held.get(i).end()).append(',').append(buffer.bytes());
      if (aligned) {
        text.append(',').append(buffer.alignment());
      }
      text.append(',').append(stack.address(view.plan().placements().get(i))).append('\n');
    }
    return text.toString();
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
