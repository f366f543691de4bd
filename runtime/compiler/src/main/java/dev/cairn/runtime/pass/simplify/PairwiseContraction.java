package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.EinsumEquation;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes the nodes of an {@code Einsum} of several operands: products of two, in the order of a tree. */
final class PairwiseContraction {
  private final String name;
  private final EinsumEquation equation;
  private final ContractionOrder order;
  private final RewriteContext context;

  /** A tensor, and which axes of the index space its axes are. */
  private record Term(NodeEntry value, List<Integer> axes) {}

  PairwiseContraction(String name, EinsumEquation equation, ContractionOrder order, RewriteContext context) {
    this.name = name;
    this.equation = equation;
    this.order = order;
    this.context = context;
  }

  /** The axes of an operand, without those whose one element repeats. */
  static Set<Integer> axes(EinsumEquation equation, int operand) {
    Set<Integer> axes = new LinkedHashSet<>();
    Arrays.stream(equation.places(operand)).filter(place -> place >= 0).forEach(axes::add);
    return axes;
  }

  NodeEntry of(List<NodeEntry> operands, DType dtype) {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      NodeEntry operand = dtype.isHalf() ? cast(operands.get(i), DType.FLOAT32) : operands.get(i);
      terms.add(plain(operand, equation.places(i)));
    }
    List<Integer> result = IntStream.range(0, equation.kept()).boxed().toList();
    Term product = product(order.tree(), terms);
    // An axis of the result that no operand stretches has extent 1.
    List<Integer> present = result.stream().filter(product.axes::contains).toList();
    NodeEntry last = transposed(product, present);
    if (present.size() < result.size()) {
      last = reshaped(last, result);
    }
    return dtype.isHalf() ? cast(last, dtype) : last;
  }

  /**
   * An operand whose axes are different ones: repeated elements are dropped, and of a repeated axis the diagonal stays.
   */
  private Term plain(NodeEntry operand, int... places) {
    List<Integer> stretched = Arrays.stream(places).filter(place -> place >= 0).boxed().toList();
    NodeEntry value = stretched.size() == places.length ? operand : reshaped(operand, stretched);
    List<Integer> distinct = stretched.stream().distinct().toList();
    if (distinct.size() < stretched.size()) {
      value = apply("Einsum", Attributes.NONE.with("equation", new AttributeValue.Text(letters(stretched) + "->"
        + letters(distinct))), value);
    }
    return new Term(value, distinct);
  }

  private static String letters(List<Integer> axes) {
    var text = new StringBuilder();
    axes.forEach(axis -> text.append((char) (axis < 26 ? 'a' + axis : 'A' + axis - 26)));
    return text.toString();
  }

  private Term product(ContractionOrder.Tree tree, List<Term> terms) {
    if (tree.left() == null || tree.right() == null) {
      return summed(terms.get(Long.numberOfTrailingZeros(tree.operands())), order.axes(tree.operands()));
    }
    return product(product(tree.left(), terms), product(tree.right(), terms), order.axes(tree.operands()));
  }

  /** The sum over all axes but those that are kept. */
  private Term summed(Term term, Set<Integer> kept) {
    long[] dropped = IntStream.range(0, term.axes.size()).filter(axis -> !kept.contains(term.axes.get(axis)))
      .mapToLong(axis -> axis).toArray();
    if (dropped.length == 0) {
      return term;
    }
    NodeEntry axes = context.constant(name + "/axes", TensorView.ofLongs(dropped));
    return new Term(apply("ReduceSum", Attributes.NONE.with("keepdims", 0), term.value, axes),
      term.axes.stream().filter(
        kept::contains).toList());
  }

  private Term product(Term a, Term b, Set<Integer> kept) {
    List<Integer> shared = a.axes.stream().filter(b.axes::contains).toList();
    List<Integer> batch = shared.stream().filter(kept::contains).toList();
    List<Integer> summed = shared.stream().filter(axis -> !kept.contains(axis)).toList();
    List<Integer> rows = a.axes.stream().filter(axis -> !shared.contains(axis)).toList();
    List<Integer> columns = b.axes.stream().filter(axis -> !shared.contains(axis)).toList();
    List<Integer> axes = joined(batch, rows, columns);
    if (summed.isEmpty() || (rows.isEmpty() && columns.isEmpty())) {
      NodeEntry left = shaped(transposed(a, joined(batch, rows, summed)), extents(batch), extents(rows), ones(columns),
        extents(summed));
      NodeEntry right = shaped(transposed(b, joined(batch, columns, summed)), extents(batch), ones(rows), extents(
        columns), extents(summed));
      return summed(new Term(apply("Mul", Attributes.NONE, left, right), joined(axes, summed)), kept);
    }
    NodeEntry left = shaped(transposed(a, joined(batch, rows, summed)), extents(batch), new long[] {count(rows), count(
      summed)});
    NodeEntry right = shaped(transposed(b, joined(batch, summed, columns)), extents(batch),
      new long[] {count(summed), count(
        columns)});
    return new Term(reshaped(apply("MatMul", Attributes.NONE, left, right), axes), axes);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is read alone
  private static List<Integer> joined(List<Integer>... parts) {
    return Arrays.stream(parts).flatMap(Collection::stream).toList();
  }

  private long[] extents(List<Integer> axes) {
    return axes.stream().mapToLong(equation::extent).toArray();
  }

  private static long[] ones(List<Integer> axes) {
    long[] ones = new long[axes.size()];
    Arrays.fill(ones, 1);
    return ones;
  }

  private long count(List<Integer> axes) {
    return Arrays.stream(extents(axes)).reduce(1, Math::multiplyExact);
  }

  private NodeEntry transposed(Term term, List<Integer> axes) {
    if (term.axes.equals(axes)) {
      return term.value;
    }
    long[] order = axes.stream().mapToLong(term.axes::indexOf).toArray();
    return apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(order)), term.value);
  }

  private NodeEntry reshaped(NodeEntry value, List<Integer> axes) {
    return shaped(value, extents(axes));
  }

  private NodeEntry shaped(NodeEntry value, long[]... extents) {
    long[] all = Arrays.stream(extents).flatMapToLong(Arrays::stream).toArray();
    return apply("Reshape", Attributes.NONE, value, context.constant(name + "/shape", TensorView.ofLongs(all)));
  }

  private NodeEntry cast(NodeEntry value, DType dtype) {
    return apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString())), value);
  }

  private NodeEntry apply(String operator, Attributes attributes, NodeEntry... inputs) {
    return Node.apply(context.unique(name + "/" + operator), operator, attributes, List.of(inputs)).entry();
  }
}
