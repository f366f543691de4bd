package dev.cairn.runtime.operator.family;

import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.List;
import java.util.stream.Stream;

/** All families in one table: for wiring and tests. */
public final class StandardOperators {
  private static final OperatorTable TABLE = new OperatorTable(Stream.of( //
    ElementwiseFamily.ROWS, //
    ConversionFamily.ROWS, //
    RecurrentFamily.ROWS, //
    ReduceFamily.ROWS, //
    MatmulFamily.ROWS, //
    AttentionFamily.ROWS, //
    ConvolutionFamily.ROWS, //
    ImageFamily.ROWS, //
    PoolingFamily.ROWS, //
    NormalizationFamily.ROWS, //
    LossFamily.ROWS, //
    QuantizedFamily.ROWS, //
    ShapeFamily.ROWS, //
    MovementFamily.ROWS, //
    IndexFamily.ROWS, //
    SelectionFamily.ROWS, //
    SignalFamily.ROWS, //
    TextFamily.ROWS, //
    EnsembleFamily.ROWS, //
    ExpertFamily.ROWS, //
    RandomFamily.ROWS, //
    GenerateFamily.ROWS).flatMap(List<OperatorDefinition>::stream).toList());

  private StandardOperators() {}

  /** Every operator that Cairn knows. */
  public static OperatorTable table() {
    return TABLE;
  }
}
