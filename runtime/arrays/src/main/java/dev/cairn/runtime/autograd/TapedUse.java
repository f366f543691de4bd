package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A use of an operator while a thread records, and the recipes of its gradients: for calls of the same operator,
 * attributes and types, whose same operands are on the tape. Remembered. Thread-safe.
 */
final class TapedUse {
  private final OperatorUse use;
  private final OperatorRegistry operators;
  private final @Nullable TensorType[] types;
  private final @Nullable TensorView[] values;
  private final List<TensorType> results;
  /** The operands that are on the tape. */
  private final BitSet taped;
  private final RowRecipe all;
  private final ConcurrentHashMap<Flow, RowRecipe> others = new ConcurrentHashMap<>();

  /** The results to which a gradient flows, and the operands whose gradients are wanted. */
  private record Flow(BitSet heads, BitSet wanted) {}

  /**
   * A use of an operator.
   *
   * @param values of constant operands; memory that never changes
   * @param taped the operands that are on the tape
   */
  TapedUse(OperatorUse use, OperatorRegistry operators, @Nullable TensorType[] types, @Nullable TensorView[] values,
    BitSet taped, List<TensorType> results) {
    this.use = use;
    this.operators = operators;
    this.types = types;
    this.values = values;
    this.results = results;
    this.taped = taped;
    var floats = new BitSet();
    for (int i = 0; i < results.size(); i++) {
      floats.set(i, results.get(i).dtype().isFloat());
    }
    this.all = made(floats, taped);
  }

  /** Whether it is the use of a call with one result, whose one or two operands are there and not constant. */
  boolean is(String operator, Attributes attributes, TapeLink first, @Nullable TapeLink second, NDArray result) {
    return use.is(operator, attributes, 1, first.type(), second == null ? null : second.type()) && taped.get(
      0) == (first.place() != null) && taped.get(1) == (second != null && second.place() != null) && results.get(0)
        .equals(result.type());
  }

  OperatorUse use() {
    return use;
  }

  private RowRecipe made(BitSet heads, BitSet wanted) {
    var kind = new NodeKind.Apply(use.operator(), use.attributes(), use.results());
    return RowRecipe.of(new RowRecipe.Use(kind, Arrays.asList(types), Arrays.asList(values), results), operators
      .table(), heads, wanted);
  }

  String operator() {
    return use.operator();
  }

  Attributes attributes() {
    return use.attributes();
  }

  List<TensorType> results() {
    return results;
  }

  /** The recipe of gradients to all operands on the tape, from all results that can have one. */
  RowRecipe all() {
    return all;
  }

  /**
   * The recipe of some gradients.
   *
   * @param heads one for each result; null where none flows
   * @param wanted the operands whose gradients are wanted
   */
  RowRecipe recipe(@Nullable SharedGradient[] heads, BitSet wanted) {
    boolean isAll = wanted.equals(taped);
    for (int i = 0; i < heads.length; i++) {
      isAll &= (heads[i] != null) == results.get(i).dtype().isFloat();
    }
    return isAll ? all : other(heads, (BitSet) wanted.clone());
  }

  private RowRecipe other(@Nullable SharedGradient[] heads, BitSet wanted) {
    var flowing = new BitSet();
    for (int i = 0; i < heads.length; i++) {
      flowing.set(i, heads[i] != null);
    }
    return others.computeIfAbsent(new Flow(flowing, wanted), it -> made(it.heads, it.wanted));
  }
}
