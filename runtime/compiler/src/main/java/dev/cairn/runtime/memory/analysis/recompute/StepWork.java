package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.TypeContext;

/**
 * The cost of one run of a step, without a clock: its floating-point operations or the bytes that it moves, whichever
 * takes longer, and a fixed part. Gradients of convolutions count twice. The same graph costs the same on every
 * machine. Costs only rank choices; results never depend on them.
 *
 * @param types of the graph's entries
 * @param operators whose rows say what each does
 * @param operationsPerByte the operations that a device does while it moves a byte
 */
public record StepWork(GraphTypes types, OperatorTable operators, long operationsPerByte) {
  /** The balance of processors. */
  public static final long OF_PROCESSOR = 16;
  /** The balance of GPUs. */
  public static final long OF_GPU = 60;

  private static final long FIXED = 20_000;
  private static final long MOST = 1L << 44;

  /** The cost of one run, in floating-point operations. */
  public long cost(Node node) {
    long bytes = 0;
    for (NodeEntry read : node.operands()) {
      bytes += read.isAbsent() ? 0 : types.type(read).bytes();
    }
    bytes += node.entries().stream().mapToLong(it -> types.type(it).bytes()).sum();
    return FIXED + Math.min(MOST, Math.max(operations(node), operationsPerByte * bytes));
  }

  private long operations(Node node) {
    return switch (node.operator()) {
      case FusedProduct.OPERATOR -> {
        FusedProduct fused = FusedProduct.of(node.kind().attributes());
        yield operations(fused.operator(), node) + fused.program().steps().size() * elements(node);
      }
      case PointwiseProgram.OPERATOR -> PointwiseProgram.of(node.kind().attributes()).steps().size() * elements(node);
      default -> operations(node.operator(), node);
    };
  }

  private long operations(String operator, Node node) {
    return node.kind() instanceof NodeKind.Apply
      ? operators.facts(operator).work().operations(new TypeContext(node, types), types.type(node.entry()))
      : elements(node);
  }

  private long elements(Node node) {
    return types.type(node.entry()).shape().elementCount();
  }
}
