package dev.cairn.runtime.pass.attention;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
public final class MergeHeadsPass implements Pass {
  private static final long[] HEADS_AND_ROWS = {0, 2, 1, 3};

  @Override
  public String name() {
    return "merge-heads";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var walk = new Walk(context.types(), new Readers(graph), NodeNames.of(graph));
    return GraphRewriter.rewrite(graph, walk::rewrite);
  }

  private record Walk(GraphTypes types, Readers readers, NodeNames names) {
    List<NodeEntry> rewrite(Node old, Node current) {
      if (!new Step(old.entry(), current.entry()).isTransposed(HEADS_AND_ROWS)) {
        return GraphRewriter.entries(current);
      }
      Step attention = Step.input(old, current, 0);
      return attention.is("Attention") && readers.of(attention.old()) == 1 && areApart(attention)
        ? List.of(merged(attention, old, current))
        : GraphRewriter.entries(current);
    }

    private static boolean areApart(Step attention) {
      for (int i = 0; i < 3; i++) {
        if (!attention.input(i).isTransposed(HEADS_AND_ROWS)) {
          return false;
        }
      }
      return true;
    }

    private NodeEntry merged(Step attention, Node old, Node current) {
      List<NodeEntry> inputs = new ArrayList<>();
      for (int i = 0; i < attention.current().node().inputs().size(); i++) {
        Step input = attention.input(i);
        inputs.add(i > 2 ? input.current() : mergedRows(input.input(0), attention.current().node().name()));
      }
      Attributes attributes = attention.attributes().with("q_num_heads", heads(attention.input(0))).with("kv_num_heads",
        heads(attention.input(1)));
      Node merged = Node.apply(attention.current().node().name(), "Attention", attributes, inputs);
      return reshaped(merged.entry(), types.type(old.entry()).shape(), current.name());
    }

    private long heads(Step operand) {
      return types.type(operand.old()).shape().extent(1);
    }

    /** {@code [batch,row,head,size]} as {@code [batch,row,head*size]}. */
    private NodeEntry mergedRows(Step rows, String name) {
      Shape shape = types.type(rows.old()).shape();
      return reshaped(rows.current(), Shape.of(shape.extent(0), shape.extent(1), shape.extent(2) * shape.extent(3)),
        names.unique(name + "/merged"));
    }

    private NodeEntry reshaped(NodeEntry entry, Shape shape, String name) {
      NodeEntry extents = Node.constant(names.unique(name + "/shape"), TensorView.ofLongs(shape.extents())).entry();
      return Node.apply(name, "Reshape", Attributes.NONE, List.of(entry, extents)).entry();
    }
  }
}
