package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.ArrayList;
import java.util.List;

/** The row of fused nodes: an operator that no model has, since only {@link PointwiseFusionPass} makes it. */
public final class FusedOperator {
  /** The most steps of a group. */
  public static final int MOST_STEPS = 48;
  /** The most inputs of a group. */
  public static final int MOST_INPUTS = 16;
  /** The most results of a group. */
  public static final int MOST_RESULTS = 4;

  /** Which results may lie over which inputs is noted at each node. */
  public static final OperatorDefinition ROW = new OperatorDefinition(PointwiseProgram.OPERATOR, 1, MOST_INPUTS,
    FusedOperator::types, new MemoryTraits(pairs(0, MOST_INPUTS), false).asElementwise()).inTensorflow("Add");

  private FusedOperator() {}

  /** Pairs of each result and each input, from the first input to the one before the end. */
  static List<MemoryTraits.Pair> pairs(int first, int end) {
    List<MemoryTraits.Pair> all = new ArrayList<>();
    for (int output = 0; output < MOST_RESULTS; output++) {
      for (int input = first; input < end; input++) {
        all.add(new MemoryTraits.Pair(input, output));
      }
    }
    return all;
  }

  private static List<TensorType> types(TypeContext context) {
    PointwiseProgram program = PointwiseProgram.of(context.attributes());
    if (program.inputCount() != context.inputCount()) {
      throw context.fault("not the inputs of the program: wanted=" + program.inputCount());
    }
    Shape shape = context.shape(0);
    for (int i = 1; i < context.inputCount(); i++) {
      shape = shape.broadcastWith(context.shape(i));
    }
    Shape all = shape;
    return program.resultTypes().stream().map(dtype -> new TensorType(dtype, all)).toList();
  }
}
