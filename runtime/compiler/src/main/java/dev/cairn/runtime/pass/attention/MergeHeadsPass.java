package dev.cairn.runtime.pass.attention;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets attention read heads where they lie, beside each other, rather than have them moved apart before it and back
 * after it.
 *
 * <pre>
 * q = Transpose{perm=[0,2,1,3]}(a)                 a' = Reshape(a)   [batch,row,head*size], as for b and c
 * k = Transpose{perm=[0,2,1,3]}(b)                 h  = Attention{q_num_heads,kv_num_heads}(a', b', c')
 * v = Transpose{perm=[0,2,1,3]}(c)           →     y  = Reshape(h)   [batch,row,head,size]
 * h = Attention(q, k, v)
 * y = Transpose{perm=[0,2,1,3]}(h)
 * </pre>
 *
 * Only where all four are transposed so, and the attention's result is read once.
 */
public final class MergeHeadsPass implements NodeRule {
  private static final long[] HEADS_AND_ROWS = {0, 2, 1, 3};

  @Override
  public String name() {
    return "merge-heads";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!new Step(old.entry(), current.entry()).isTransposed(HEADS_AND_ROWS)) {
      return null;
    }
    Step attention = Step.input(old, current, 0);
    return attention.is(Operators.ATTENTION) && context.readers(attention.old()) == 1 && areApart(attention)
      ? merged(attention, old, current, context)
      : null;
  }

  private static boolean areApart(Step attention) {
    return IntStream.range(0, 3).allMatch(i -> attention.input(i).isTransposed(HEADS_AND_ROWS));
  }

  private static NodeEntry merged(Step attention, Node old, Node current, RewriteContext context) {
    List<NodeEntry> inputs = new ArrayList<>();
    for (int i = 0; i < attention.current().node().inputs().size(); i++) {
      Step input = attention.input(i);
      inputs.add(i > 2 ? input.current() : mergedRows(input.input(0), attention.current().node().name(), context));
    }
    Attributes attributes = attention.attributes().with("q_num_heads", heads(attention.input(0), context)).with(
      "kv_num_heads", heads(attention.input(1), context));
    Node merged = Node.apply(attention.current().node().name(), Operators.ATTENTION, attributes, inputs);
    return reshaped(merged.entry(), context.type(old.entry()).shape(), current.name(), context);
  }

  private static long heads(Step operand, RewriteContext context) {
    return context.type(operand.old()).shape().extent(1);
  }

  /** {@code [batch,row,head,size]} as {@code [batch,row,head*size]}. */
  private static NodeEntry mergedRows(Step rows, String name, RewriteContext context) {
    Shape shape = context.type(rows.old()).shape();
    return reshaped(rows.current(), Shape.of(shape.extent(0), shape.extent(1), shape.extent(2) * shape.extent(3)),
      context.unique(name + "/merged"), context);
  }

  private static NodeEntry reshaped(NodeEntry entry, Shape shape, String name, RewriteContext context) {
    NodeEntry extents = context.constant(name + "/shape", TensorView.ofLongs(shape.extents()));
    return Node.apply(name, Operators.RESHAPE, Attributes.NONE, List.of(entry, extents)).entry();
  }
}
