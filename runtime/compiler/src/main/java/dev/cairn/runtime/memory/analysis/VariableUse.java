package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Node;
import java.util.List;

/**
 * The variables of a graph, whose memory no planner plans.
 *
 * @param variables each once
 * @param direct the assigns that are no steps, since the node that computes the new value writes it right into the
 *   variable's memory; other assigns are steps that copy
 */
public record VariableUse(List<Node> variables, List<Node> direct) {
  public VariableUse {
    variables = List.copyOf(variables);
    direct = List.copyOf(direct);
  }
}
