package dev.cairn.runtime.symbol;

import static dev.cairn.runtime.graph.PartialType.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Notation;
import dev.cairn.runtime.graph.PartialType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule S-5: types in part, forwards and backwards. */
class PartialInferenceTest {
  private static final Symbol X = Symbol.variable("x");
  private static final Symbol W = Symbol.variable("w");
  private static final Symbol B = Symbol.variable("b");

  private static PartialType type(String text) {
    DeclaredType declared = Notation.declaredType(text);
    return PartialType.of(declared);
  }

  @Test
  void s5MlpNeedsTheTypeOfItsDataAlone() {
    Symbol net = Symbol.dense("fc2", Symbol.dense("fc1", Symbol.variable("data"), 1000).relu(), 10);
    SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 100, 100)));
    assertThat(types.variables()).hasToString("{data=float32[100x100], fc1_weight=float32[1000x100], "
      + "fc1_bias=float32[1000], fc2_weight=float32[10x1000], fc2_bias=float32[10]}");
    assertThat(types.outputs()).containsExactly(type("float32[100x10]"));
    assertThat(types.type("fc1_output")).hasToString("float32[100x1000]");
    assertThat(types.known()).hasSize(5);
  }

  @Test
  void s5AContradictionNamesTheNodeAndBothFacts() {
    Symbol net = Symbol.dense("fc1", X, 1000);
    assertThatThrownBy(() -> net.infer(Map.of("x", type("float32[100x100]"), "fc1_weight", type("float32[1000x99]"))))
      .isInstanceOf(InvalidGraph.class).hasMessage("types contradict each other: fc1_weight is float32[1000x99] by "
        + "infer, but ?[1000x100] by Gemm fc1 (x is float32[100x100] by infer, fc1_weight is float32[1000x99] by "
        + "infer, fc1_bias is float32[1000] by Gemm fc1): node=fc1");
    assertThatThrownBy(() -> X.add(W).infer(Map.of("x", type("float32[2x3]"), "w", type("float32[2x4]"))))
      .isInstanceOf(InvalidGraph.class).hasMessageContaining("axis=1 extents=3,4").hasMessageContaining(
        "x=float32[2x3] w=float32[2x4]");
    assertThatThrownBy(() -> X.add(W).infer(Map.of("x", type("float32[2]"), "w", type("int8[2]"))))
      .isInstanceOf(InvalidGraph.class).hasMessageContaining("w is int8[2] by infer, but float32[...]");
    assertThatThrownBy(() -> X.logicalNot().infer(Map.of("x", type("float32[2]")))).isInstanceOf(InvalidGraph.class)
      .hasMessageContaining("x is float32[2] by infer");
  }

  @Test
  void s5WhatStaysOpenIsListedWithWhatWouldSettleIt() {
    Symbol net = Symbol.dense("fc1", Symbol.variable("data"), 3).add(Symbol.variable("c", type("float32[1x3]")));
    assertThatThrownBy(() -> net.infer(Map.of())).isInstanceOf(IllegalArgumentException.class).hasMessageMatching(
      "types stay open: data=float32\\[\\?x\\?] \\(settled by data or fc1_weight\\), "
        + "fc1_weight=float32\\[3x\\?] \\(settled by data or fc1_weight\\), "
        + "add\\d+_output=float32\\[\\?x3] \\(settled by data or fc1_weight\\); "
        + "give infer the types of these variables");
    assertThat(net.inferPartial(Map.of()).isComplete()).isFalse();
    assertThatThrownBy(() -> net.infer(Map.of("dat", type("?")))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageStartingWith("no such variable: name=dat variables=[data, fc1_weight, fc1_bias, c]");
  }

  @Test
  void s5ATypeGivenToInferOverridesTheVariables() {
    Symbol x = Symbol.variable("x", type("float32[1x2]"));
    assertThat(x.relu().infer(Map.of("x", type("int32[7]"))).outputs()).containsExactly(type("int32[7]"));
    assertThat(x.relu().infer(Map.of()).outputs()).containsExactly(type("float32[1x2]"));
  }

  @Test
  void s5CastCutsInference() {
    Symbol y = X.astype(DType.FLOAT32).add(W);
    SymbolTypes types = y.inferPartial(Map.of("w", type("?[2]")));
    assertThat(types.type("x").dtype()).isEmpty();
    assertThat(types.type("w")).hasToString("float32[2]");
  }

  @Test
  void s5AScalarTakesTheElementTypeAndIsRefusedWhereThatCannotHoldIt() {
    assertThat(X.add(1).infer(Map.of("x", type("int8[2]"))).outputs()).containsExactly(type("int8[2]"));
    assertThat(X.mul(0.1).infer(Map.of("x", type("float16[2]"))).outputs()).containsExactly(type("float16[2]"));
    assertThatThrownBy(() -> X.add(0.5).infer(Map.of("x", type("int32[2]")))).isInstanceOf(InvalidGraph.class)
      .hasMessageContaining("cannot hold this number: dtype=int32 value=0.5");
    assertThatThrownBy(() -> X.add((1L << 53) + 1).infer(Map.of("x", type("float32[2]")))).isInstanceOf(
      InvalidGraph.class).hasMessageContaining("dtype=float32 value=9007199254740993");
    assertThatThrownBy(() -> X.mul(1e39).infer(Map.of("x", type("float32[2]")))).isInstanceOf(InvalidGraph.class)
      .hasMessageContaining("dtype=float32 value=1.0E39");
    assertThatThrownBy(() -> X.add(200).infer(Map.of("x", type("int8[2]")))).isInstanceOf(InvalidGraph.class);
    assertThatThrownBy(() -> X.add(-1).infer(Map.of("x", type("uint8[2]")))).isInstanceOf(InvalidGraph.class);
  }

  @Test
  void s5TwoSweepsAreNeededWhereTheFactComesFromTheEnd() {
    Symbol y = X.relu().neg().add(W.relu()).exp();
    SymbolTypes types = Symbol.group(y, y.mul(Symbol.variable("z", type("float64[1x1x1x1]")))).inferPartial(Map.of());
    assertThat(types.type("x").dtype()).contains(DType.FLOAT64);
    assertThat(types.type("w").dtype()).contains(DType.FLOAT64);
  }

  @Test
  void s5ControlFlowAndUnknownOperatorsStayOpen() {
    Symbol y = Symbol.compose("m", "my:Square", Attributes.NONE, 1, Map.of()).relu();
    assertThat(y.inferPartial(Map.of()).outputs()).containsExactly(PartialType.UNKNOWN);
  }

  private static Symbol call(String operator, String attributes, int results, Symbol... operands) {
    return Symbol.group(operands[0].apply(operator, Notation.attributes(attributes.replace(';', ',')), results, List.of(
      operands)).toArray(Symbol[]::new));
  }

  private static Symbol longs(String values) {
    return Symbol.constant("c" + values, Notation.value("int64:[" + values.replace(' ', ',') + "]"));
  }

  /** Operator, attributes, types of x, w and b before, the result's, and after; an underscore for no such operand. */
  @ParameterizedTest
  @CsvSource({
    "Add, '', ?[?x10], ?[12x?], _, ?[12x10], ?[?x10], ?[12x?]",
    "Add, '', '?', float32[3], _, float32[...], float32[...], float32[3]",
    "Mul, '', float32[4x?], float32[1], _, float32[4x?], float32[4x?], float32[1]",
    "Where, '', ?[2x1], float32[3], ?, float32[...], bool[2x1], float32[3]",
    "Greater, '', ?[2], int8[2], _, bool[2], int8[2], int8[2]",
    "MatMul, '', float32[?x2x?], ?[5x7], _, float32[?x2x7], float32[?x2x5], float32[5x7]",
    "MatMul, '', ?[5x1x2x3], ?[?x3x4], _, ?[5x?x2x4], ?[5x1x2x3], ?[?x3x4]",
    "Gemm, {transA=1}, '?', float32[5x7], '?', float32[?x7], float32[5x?], float32[5x7]",
    "'Conv', '{kernel_shape=[3,3]; pads=[1,1,1,1]}', float32[?x8x7x7], ?[64x?x?x?], _, float32[?x64x7x7], "
      + "float32[?x8x7x7], float32[64x8x3x3]",
    "Conv, '{kernel_shape=[2]; group=2; strides=[2]}', ?[1x4x9], ?, ?[6], ?[1x6x4], ?[1x4x9], ?[6x2x2]",
    "ConvTranspose, '{kernel_shape=[2]; group=2}', ?[1x4x9], ?[?x3x?], '?', ?[1x6x10], ?[1x4x9], ?[4x3x2]",
    "MaxPool, '{kernel_shape=[2,2]; strides=[2,2]}', float16[?x3x8x?], _, _, float16[?x3x4x?], float16[?x3x8x?], _",
    "GlobalAveragePool, '', float32[2x3x?x?], _, _, float32[2x3x1x1], float32[2x3x?x?], _",
    "Concat, {axis=1}, float32[2x3], ?[?x?], _, float32[2x?], float32[2x3], float32[2x?]",
    "Transpose, '{perm=[2,0,1]}', ?[?x3x4], _, _, ?[4x?x3], ?[?x3x4], _",
    "Flatten, '', float32[2x3x4], _, _, float32[2x12], float32[2x3x4], _",
    "Gather, '{axis=0}', float32[10x?], int64[2x3], _, float32[2x3x?], float32[10x?], int64[2x3]",
    "LayerNormalization, '{axis=1}', float32[2x3x4], '?', '?', float32[2x3x4], float32[2x3x4], float32[3x4]",
    "ReduceSum, '{keepdims=1}', float32[2x?], _, _, float32[1x1], float32[2x?], _",
    "ArgMax, '{axis=1; keepdims=0}', float32[2x?x4], _, _, int64[2x4], float32[2x?x4], _",
    "Softmax, '', ?[2x?], _, _, ?[2x?], ?[2x?], _",
    "IsNaN, '', float32[2], _, _, bool[2], float32[2], _",
    "Pow, '', ?[2], int32[1], _, ?[2], ?[2], int32[1]"})
  void s5RowsForwards(ArgumentsAccessor row) {
    String w = String.valueOf(row.getString(3));
    String b = String.valueOf(row.getString(4));
    Map<String, PartialType> given = new HashMap<>(Map.of("x", type(String.valueOf(row.getString(2)))));
    List<Symbol> operands = new ArrayList<>(List.of(X));
    if (!w.equals("_")) {
      given.put("w", type(w));
      operands.add(W);
    }
    if (!b.equals("_")) {
      given.put("b", type(b));
      operands.add(B);
    }
    SymbolTypes types = call(String.valueOf(row.getString(0)), String.valueOf(row.getString(1)), 1, operands.toArray(
      Symbol[]::new)).inferPartial(given);
    assertThat(types.outputs()).extracting(PartialType::toString).containsExactly(row.getString(5));
    assertThat(types.type("x")).hasToString(row.getString(6));
    if (!w.equals("_")) {
      assertThat(types.type("w")).hasToString(row.getString(7));
    }
  }

  /** Two Concats with variables of known extents tell the result's type. */
  @ParameterizedTest
  @CsvSource({
    "Relu, '', float32, '2,3', '?', float32[2x3]",
    "BatchNormalization, '', float32, '2,3,4', '?', float32[2x3x4]",
    "Transpose, '{perm=[1,0]}', float32, '2,3', '?', float32[3x2]",
    "Conv, '{kernel_shape=[3]; pads=[1,0]}', float32, '2,4,8', ?[?x5x?], float32[2x5x9]",
    "Flatten, '', float32, '2,12', ?[?x3x?], float32[2x3x4]",
    "GlobalMaxPool, '', float32, '2,3,1,1', '?', float32[2x3x?x?]"})
  void s5RowsBackwards(String operator, String attributes, String dtype, String shape, String before, String after) {
    String operands = operator.equals("Conv") ? "w" : operator.equals("BatchNormalization") ? "wbmv" : "";
    List<Symbol> all = new ArrayList<>(List.of(X));
    operands.chars().forEach(it -> all.add(Symbol.variable(String.valueOf((char) it))));
    Symbol made = call(operator, attributes, 1, all.toArray(Symbol[]::new));
    long[] extents = Arrays.stream(shape.split(",", -1)).mapToLong(Long::parseLong).toArray();
    SymbolTypes types = Symbol.group(told(made, dtype, extents, 0), told(made, dtype, extents, extents.length - 1))
      .inferPartial(Map.of("x", type(before)));
    assertThat(types.type("x")).hasToString(after);
  }

  /** Tells all extents of a symbol but one. */
  private static Symbol told(Symbol made, String dtype, long[] extents, int axis) {
    long[] other = extents.clone();
    other[axis] = OPEN;
    Symbol rest = Symbol.variable("rest" + axis, PartialType.of(DType.valueOf(dtype.toUpperCase(Locale.ROOT)), other));
    return made.concat(axis, List.of(rest));
  }

  @Test
  void s5SplitAndConcatSettleTheLastPart() {
    Symbol parts = call("Split", "{axis=1}", 2, X, longs("2 3"));
    assertThat(parts.inferPartial(Map.of("x", type("float32[4x?]"))).type("x")).hasToString("float32[4x5]");
    SymbolTypes types = call("Concat", "{axis=0}", 1, X, W).reshape(6, 2).inferPartial(Map.of("x", type(
      "float32[4x2]"), "w", type("?[?x?]")));
    assertThat(types.type("w")).hasToString("float32[2x2]");
    assertThatThrownBy(() -> call("Split", "{axis=0}", 2, X, longs("2 3")).infer(Map.of("x", type("float32[6]"))))
      .isInstanceOf(InvalidGraph.class);
  }

  @Test
  void s5MovementsWithKnownAxes() {
    assertThat(X.expandDims(0, 2).inferPartial(Map.of("x", type("float32[?x3]"))).outputs()).containsExactly(type(
      "float32[1x?x1x3]"));
    assertThat(X.squeeze(1).inferPartial(Map.of("x", type("?[2x?x?]"))).type("x")).hasToString("?[2x1x?]");
    assertThat(X.reshape(2, -1).inferPartial(Map.of("x", type("?[4x3]"))).outputs()).containsExactly(type("?[2x6]"));
    assertThat(X.reshape(2, 6).inferPartial(Map.of("x", type("?[?x3]"))).type("x")).hasToString("?[4x3]");
    assertThat(X.sum(1).inferPartial(Map.of("x", type("float32[?x3x4]"))).outputs()).containsExactly(type(
      "float32[?x4]"));
    Symbol sliced = X.apply("Slice", Attributes.NONE, 1, List.of(X, longs("0"), longs("2"), longs("1"))).getFirst();
    assertThat(sliced.inferPartial(Map.of("x", type("float32[7x?x3]"))).outputs()).containsExactly(type(
      "float32[7x?x3]"));
    assertThat(sliced.infer(Map.of("x", type("float32[7x9x3]"))).outputs()).containsExactly(type("float32[7x2x3]"));
  }

  @Test
  void s5OtherOperatorsHaveTheirOrdinaryRule() {
    Symbol y = X.apply("TopK", Attributes.NONE, 2, List.of(X, longs("2"))).getFirst();
    assertThat(y.infer(Map.of("x", type("float32[3x4]"))).outputs()).containsExactly(type("float32[3x2]"));
    assertThat(y.inferPartial(Map.of()).outputs()).containsExactly(PartialType.UNKNOWN);
    Symbol valueDependent = X.apply("NonZero", Attributes.NONE, 1, List.of(X)).getFirst();
    assertThat(valueDependent.infer(Map.of("x", type("float32[3]"))).outputs()).containsExactly(type("int64[...]"));
  }

  @Test
  void s5ElementTypesThatAnOperatorFixesAreToldAtOnce() {
    for (String operator : List.of("NonZero", "Shape", "Size")) {
      Symbol y = X.apply(operator, Attributes.NONE, 1, List.of(X)).getFirst();
      assertThat(y.inferPartial(Map.of()).outputs().getFirst().dtype()).as(operator).contains(DType.INT64);
    }
    Symbol zeros = X.apply("ConstantOfShape", Attributes.NONE, 1, List.of(X)).getFirst();
    assertThat(zeros.inferPartial(Map.of()).outputs()).containsExactly(type("float32[...]"));
  }

  /** Case 73: the sum that cannot be is found although the output needs nothing of it. */
  @Test
  void s5EveryOperatorOfTheGraphIsVisited() {
    Symbol v = Symbol.variable("v");
    Symbol impossible = v.transpose(1, 0).add(X.add(v));
    Map<String, PartialType> types = Map.of("x", type("float32[2x3]"), "v", type("float32[2x3]"));
    assertThatThrownBy(() -> impossible.infer(types)).isInstanceOf(InvalidGraph.class).hasMessageContaining(
      "extents=3,2");
    Symbol size = impossible.apply("Size", Attributes.NONE, 1, List.of(impossible)).getFirst();
    assertThatThrownBy(() -> size.infer(types)).isInstanceOf(InvalidGraph.class);
  }

  @Test
  void partialTypesMeet() {
    assertThat(type("?[2x?]").meet(type("float32[?x3]"))).contains(type("float32[2x3]"));
    assertThat(type("?[2]").meet(type("?[2x2]"))).isEmpty();
    assertThat(type("int8[...]").meet(type("int16[...]"))).isEmpty();
    assertThat(PartialType.ofShape(2, OPEN)).hasToString("?[2x?]");
    assertThat(PartialType.of(DType.INT8)).hasToString("int8[...]");
    assertThat(PartialType.of(DType.INT8, 0)).extracting(PartialType::known).asString().contains("int8[0]");
    assertThatThrownBy(() -> PartialType.ofShape(-2)).isInstanceOf(IllegalArgumentException.class);
  }
}
