package dev.cairn.runtime.operator.family;

import dev.cairn.runtime.graph.Graph;
import java.util.List;
import java.util.stream.Stream;

/** The uses of operators that the tests of the families have: at least one of each operator of the table. */
public final class OperatorCases {
  private static final List<String> TABLES = List.of(ElementwiseFamilyTest.CASES, ReduceFamilyTest.CASES,
    MatmulFamilyTest.CASES, AttentionFamilyTest.CASES, ConvolutionFamilyTest.CASES, PoolingFamilyTest.CASES,
    NormalizationFamilyTest.CASES, LossFamilyTest.CASES, QuantizedFamilyTest.CASES, ConversionFamilyTest.CASES,
    SelectionFamilyTest.CASES, ImageFamilyTest.CASES, ShapeFamilyTest.CASES, MovementFamilyTest.CASES,
    IndexFamilyTest.CASES, GenerateFamilyTest.CASES, RecurrentFamilyTest.CASES, SignalFamilyTest.CASES,
    RandomFamilyTest.CASES, TextFamilyTest.CASES, EnsembleFamilyTest.CASES, ExpertFamilyTest.CASES);

  private OperatorCases() {}

  static Stream<TypeRuleCase> all() {
    return TABLES.stream().flatMap(TypeRuleCase::all);
  }

  /** Graphs of one node, of all uses of an operator that its type rule accepts. Inputs have concrete types. */
  public static List<Graph> accepted(String operator) {
    return all().filter(it -> it.succeeds() && it.operator().equals(operator)).map(TypeRuleCase::graph).toList();
  }
}
