package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import java.util.List;

/**
 * The rows of copies, operators that no model has. Streaming makes those of constants from the host's memory into the
 * plan; offload makes those of results to the host's page-locked memory and back. The result of a copy out is a buffer
 * of the plan like others, on the device {@link #HOST}.
 */
public final class HostCopies {
  public static final String LOAD = "LoadConstant";
  public static final String OUT = "CopyToHost";
  public static final String IN = "CopyToDevice";
  /** The number of the host's page-locked memory among the devices of a plan; 0 is the model's device. */
  public static final int HOST = 1;
  public static final OperatorDefinition LOAD_ROW = row(LOAD);
  public static final OperatorDefinition OUT_ROW = row(OUT);
  public static final OperatorDefinition IN_ROW = row(IN);

  private HostCopies() {}

  private static OperatorDefinition row(String name) {
    return new OperatorDefinition(name, 1, 1, context -> List.of(context.input(0)), MemoryTraits.NONE);
  }

  /** Whether the node copies a constant into the plan. */
  public static boolean isLoad(Node node) {
    return node.operator().equals(LOAD);
  }

  /** Whether the node copies a result to the host. */
  public static boolean isOut(Node node) {
    return node.operator().equals(OUT);
  }

  /** Whether the node copies a value back from the host. */
  public static boolean isIn(Node node) {
    return node.operator().equals(IN);
  }

  /** The entry whose bytes an entry has: for the result of a copy, the copied entry; for others, the entry itself. */
  public static NodeEntry source(NodeEntry entry) {
    NodeEntry at = entry;
    while (!at.isAbsent() && (isOut(at.node()) || isIn(at.node()))) {
      at = at.node().inputs().getFirst();
    }
    return at;
  }
}
