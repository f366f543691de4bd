package dev.cairn.runtime.operator.gradient;

import java.util.List;
import java.util.stream.Stream;

/** All families in one table. */
public final class StandardGradients {
  private static final GradientTable TABLE = new GradientTable(Stream.of( //
    ActivationGradients.ROWS, //
    AttentionGradients.ROWS, //
    ConvolutionGradients.ROWS, //
    ElementwiseGradients.ROWS, //
    EnsembleGradients.ROWS, //
    GenerateGradients.ROWS, //
    IndexGradients.ROWS, //
    LossGradients.ROWS, //
    ImageGradients.ROWS, //
    MovementGradients.ROWS, //
    NormalizationGradients.ROWS, //
    PoolGradients.ROWS, //
    ProductGradients.ROWS, //
    QuantizedGradients.ROWS, //
    RandomGradients.ROWS, //
    RecurrentGradients.ROWS, //
    ReduceGradients.ROWS, //
    SelectionGradients.ROWS, //
    ShapeGradients.ROWS, //
    SignalGradients.ROWS, //
    TextGradients.ROWS).flatMap(List<GradientRow>::stream).toList());

  private StandardGradients() {}

  /** The gradients of Cairn's operators. */
  public static GradientTable table() {
    return TABLE;
  }
}
