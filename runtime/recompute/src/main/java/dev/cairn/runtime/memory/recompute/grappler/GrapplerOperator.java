package dev.cairn.runtime.memory.recompute.grappler;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** TensorFlow's operators of which its memory optimizer knows more than the name, one row each. */
record GrapplerOperator(String name, Set<Fact> facts) {
  /** The facts of an operator that the optimizer uses. */
  enum Fact {
    /** It takes little time: the recompute pass runs it again without a hint. */
    CHEAP,
    /** Its result outlives a run, so that it is not copied to the host. */
    PERSISTENT,
    /** Its result shares the bytes of its input. */
    VIEW,
    /** It begins or ends a branch or a loop, at which the search for a trigger stops. */
    ENDS_PATHS,
    /** No element of its input is in its result. */
    FORWARDS_NOTHING,
    /** It adds up any number of values. */
    SUM
  }

  private static final Map<String, GrapplerOperator> ROWS = List.of( //
    row("AccumulateNV2", Fact.SUM), //
    row("Add", Fact.CHEAP), //
    row("AddN", Fact.CHEAP, Fact.SUM), //
    row("AutoReloadVariable", Fact.PERSISTENT), //
    row("BiasAdd", Fact.CHEAP), //
    row("Cast", Fact.CHEAP), //
    row("Const", Fact.PERSISTENT), //
    row("Enter", Fact.ENDS_PATHS), //
    row("Exit", Fact.ENDS_PATHS), //
    row("Fill", Fact.CHEAP), //
    row("FloorDiv", Fact.CHEAP), //
    row("FloorMod", Fact.CHEAP), //
    row("FusedBatchNorm", Fact.CHEAP), //
    row("Identity", Fact.VIEW), //
    row("LeakyRelu", Fact.CHEAP), //
    row("Merge", Fact.ENDS_PATHS), //
    row("Mul", Fact.CHEAP), //
    row("Neg", Fact.CHEAP), //
    row("NextIteration", Fact.ENDS_PATHS), //
    row("Rank", Fact.FORWARDS_NOTHING), //
    row("ReadVariableOp", Fact.PERSISTENT), //
    row("RealDiv", Fact.CHEAP), //
    row("Reciprocal", Fact.CHEAP), //
    row("RefEnter", Fact.ENDS_PATHS), //
    row("RefExit", Fact.ENDS_PATHS), //
    row("RefMerge", Fact.ENDS_PATHS), //
    row("RefNextIteration", Fact.ENDS_PATHS), //
    row("RefSwitch", Fact.ENDS_PATHS), //
    row("Relu", Fact.CHEAP), //
    row("Relu6", Fact.CHEAP), //
    row("Reshape", Fact.CHEAP, Fact.VIEW), //
    row("Rsqrt", Fact.CHEAP), //
    row("Shape", Fact.FORWARDS_NOTHING), //
    row("ShapeN", Fact.FORWARDS_NOTHING), //
    row("Sigmoid", Fact.CHEAP), //
    row("Size", Fact.FORWARDS_NOTHING), //
    row("Sqrt", Fact.CHEAP), //
    row("Square", Fact.CHEAP), //
    row("SquaredDifference", Fact.CHEAP), //
    row("Sub", Fact.CHEAP), //
    row("Switch", Fact.ENDS_PATHS), //
    row("Tile", Fact.CHEAP), //
    row("Transpose", Fact.CHEAP), //
    row("VarHandleOp", Fact.PERSISTENT), //
    row("Variable", Fact.PERSISTENT), //
    row("VariableV2", Fact.PERSISTENT), //
    row("_ReadVariablesOp", Fact.PERSISTENT), //
    row("_VarHandlesOp", Fact.PERSISTENT)).stream().collect(Collectors.toMap(GrapplerOperator::name,
      Function
        .identity()));

  private static GrapplerOperator row(String name, Fact... facts) {
    return new GrapplerOperator(name, EnumSet.copyOf(Arrays.asList(facts)));
  }

  /** Whether the optimizer knows this of an operator. */
  static boolean has(String name, Fact fact) {
    GrapplerOperator row = ROWS.get(name);
    return row != null && row.facts.contains(fact);
  }
}
