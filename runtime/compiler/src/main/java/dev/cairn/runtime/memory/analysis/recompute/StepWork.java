package dev.cairn.runtime.memory.analysis.recompute;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * What one run of a step costs, without a clock: its floating-point operations or the bytes that it moves, whichever
 * takes longer, and a fixed part. Gradients of convolutions count twice. The same graph costs the same on every
 * machine. Costs only rank choices; results never depend on them.
 *
 * @param types of the graph's entries
 * @param operationsPerByte the operations that a device does while it moves a byte
 */
public record StepWork(GraphTypes types, long operationsPerByte) {
  /** The balance of processors. */
  public static final long OF_PROCESSOR = 16;
  /** The balance of GPUs. */
  public static final long OF_GPU = 60;

  private static final long FIXED = 20_000;
  /** The processor's kernels for the gradients of convolutions reach about half the rate of convolutions. */
  private static final long GRADIENT_FACTOR = 2;
  private static final long MOST = 1L << 44;

  /** The cost of one run, in floating-point operations. */
  public long cost(Node node) {
    long bytes = 0;
    for (NodeEntry read : node.operands()) {
      bytes += read.isAbsent() ? 0 : types.type(read).bytes();
    }
    for (int i = 0; i < node.kind().outputs(); i++) {
      bytes += types.type(node.entry(i)).bytes();
    }
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
    return switch (operator) {
      case "MatMul", "MatMulInteger", "MatMulIntegerToFloat", "MatMulNBits" -> 2 * elements(node) * extent(shape(node,
        0), -1);
      case "Gemm" -> {
        Shape a = shape(node, 0);
        yield 2 * elements(node) * extent(a, GemmForm.of(node.kind().attributes()).transA() ? 0 : -1);
      }
      case "ConvTranspose", "ConvTransposeNhwc" -> GRADIENT_FACTOR * 2 * shape(node, 0).elementCount() * perChannel(
        shape(node, 1));
      case "ConvWeightGradient" -> GRADIENT_FACTOR * 2 * shape(node, 1).elementCount() * perChannel(types.type(node
        .entry()).shape());
      case "Attention" -> 4 * shape(node, 0).elementCount() * extent(shape(node, 1), -2);
      default -> operator.contains("Conv") && node.operands().size() > 1
        ? 2 * elements(node) * perChannel(shape(node, 1))
        : elements(node);
    };
  }

  /** The elements of a filter of one channel. */
  private static long perChannel(Shape filters) {
    return filters.rank() == 0 || filters.extent(0) == 0 ? 1 : filters.elementCount() / filters.extent(0);
  }

  /** An extent, counted from the end when the axis is negative; 1 where there is none. */
  private static long extent(Shape shape, int axis) {
    int at = axis < 0 ? shape.rank() + axis : axis;
    return at < 0 || at >= shape.rank() ? 1 : shape.extent(at);
  }

  private Shape shape(Node node, int operand) {
    List<NodeEntry> operands = node.operands();
    return operand < operands.size() && !operands.get(operand).isAbsent()
      ? types.type(operands.get(operand)).shape()
      : Shape.of();
  }

  private long elements(Node node) {
    TensorType result = types.type(node.entry());
    return result.shape().elementCount();
  }
}
