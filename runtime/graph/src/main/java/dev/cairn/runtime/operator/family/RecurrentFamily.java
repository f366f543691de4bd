package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;

import dev.cairn.kernels.attribute.CausalForm;
import dev.cairn.kernels.attribute.LinearHeads;
import dev.cairn.kernels.attribute.RecurrentActivations;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.RecurrentGradients;
import java.util.List;
import java.util.Set;

/**
 * Recurrent networks, and other operators that carry a state from step to step: the whole sequence is one node. Results
 * are all steps, and the states after the last one.
 */
public final class RecurrentFamily {
  private static final int LENGTHS = 4;

  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("CausalConvWithState", 2, 4, RecurrentFamily::causal, MemoryTraits.NONE).named("input",
      "weight", "bias", "past_state").working(ConvolutionFamily.convolved(1)).since(27).noGradient(NOT_WRITTEN),
    new OperatorDefinition("LinearAttention", 3, 6, RecurrentFamily::linear, MemoryTraits.NONE).named("query", "key",
      "value", "past_state", "decay", "beta").since(27).noGradient(NOT_WRITTEN),
    new OperatorDefinition("GRU", 3, 6, context -> results(context, Cell.GRU), MemoryTraits.NONE).named("X", "W", "R",
      "B", "sequence_lens", "initial_h").gradient(RecurrentGradients::gru),
    new OperatorDefinition("LSTM", 3, 8, context -> results(context, Cell.LSTM), MemoryTraits.NONE).named("X", "W", "R",
      "B", "sequence_lens", "initial_h", "initial_c", "P").gradient(RecurrentGradients::lstm),
    new OperatorDefinition("RNN", 3, 6, context -> results(context, Cell.RNN), MemoryTraits.NONE).named("X", "W", "R",
      "B", "sequence_lens", "initial_h").gradient(RecurrentGradients::plain));

  private RecurrentFamily() {}

  private static List<TensorType> results(TypeContext context, Cell cell) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2, 3, 5, 6, 7);
    RecurrentNetwork network = RecurrentNetwork.of(cell, context.attributes(), context.shape(0), context.shape(1));
    RecurrentActivations.of(cell, context.attributes(), network.directions());
    requireShape(context, 2, network.recurrentShape());
    requireShape(context, 3, network.biasShape());
    if (context.has(LENGTHS)) {
      AdmittedTypes.INDEXES.require(context, LENGTHS);
      requireShape(context, LENGTHS, Shape.of(network.batch()));
    }
    requireShape(context, 5, network.stateShape());
    requireShape(context, 6, network.stateShape());
    requireShape(context, 7, network.peepholeShape());
    var state = new TensorType(dtype, network.stateShape());
    var steps = new TensorType(dtype, network.resultShape());
    return cell == Cell.LSTM ? context.first(steps, state, state) : context.first(steps, state);
  }

  /** {@code x[N,C,step]}, {@code w[C,1,taps]}, {@code bias[C]?} and the {@code taps - 1} steps before the first. */
  private static List<TensorType> causal(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2, 3);
    Shape x = context.shape(0);
    Shape w = context.shape(1);
    String activation = CausalForm.of(context.attributes()).activation();
    if (x.rank() != 3 || w.rank() != 3 || w.extent(2) < 1 || !Set.of("none", "silu", "swish").contains(activation)) {
      throw context.fault("needed: x [N,C,step], w [C,1,taps] and activation none or silu: activation=\"%s\"".formatted(
        activation));
    }
    requireShape(context, 1, Shape.of(x.extent(1), 1, w.extent(2)));
    requireShape(context, 2, Shape.of(x.extent(1)));
    Shape state = Shape.of(x.extent(0), x.extent(1), w.extent(2) - 1);
    requireShape(context, 3, state);
    return context.first(new TensorType(dtype, x), new TensorType(dtype, state));
  }

  /** Decays are one for each element of a key, or for each head of keys; betas one for each of these, or for all. */
  private static List<TensorType> linear(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    LinearHeads heads = LinearHeads.of(context.attributes(), context.shape(0), context.shape(1), context.shape(2));
    requireShape(context, 3, heads.stateShape());
    requireSteps(context, heads, 4, heads.rule().decays(), (long) heads.keyHeads() * heads.size());
    requireSteps(context, heads, 5, heads.rule().corrects(), 1);
    DType state = context.has(3) ? context.dtype(3) : dtype;
    return context.first(new TensorType(dtype, heads.resultShape()), new TensorType(state, heads.stateShape()));
  }

  private static void requireSteps(TypeContext context, LinearHeads heads, int input, boolean needed, long extent) {
    if (needed || context.has(input)) {
      Shape each = Shape.of(heads.batch(), heads.steps(), heads.keyHeads());
      if (!context.shape(input).equals(each) && !context.shape(input).equals(each.with(2, extent))) {
        throw context.fault("operand of another shape: input=%d shape=%s wanted=%s".formatted(input, context
          .shape(input), each));
      }
    }
  }

  private static void requireShape(TypeContext context, int input, Shape wanted) {
    context.requireShape(input, wanted, "operand of another shape");
  }
}
