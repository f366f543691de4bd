package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import java.util.List;

/**
 * The row of copies of constants from the host's memory into the plan: an operator that no model has, since only
 * streaming makes it.
 */
public final class LoadOperator {
  public static final String NAME = "LoadConstant";
  public static final OperatorDefinition ROW = new OperatorDefinition(NAME, 1, 1, context -> List.of(context.input(0)),
    MemoryTraits.NONE);

  private LoadOperator() {}

  /** Whether the node copies a constant. */
  public static boolean is(Node node) {
    return node.operator().equals(NAME);
  }
}
