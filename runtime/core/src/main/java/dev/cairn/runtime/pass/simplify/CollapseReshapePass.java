package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.List;
import java.util.Set;

/**
 * Joins operators that only give a tensor another shape, one after the other, into the last of them.
 *
 * <pre>
 * a = Reshape(x, s)                  s2 = constant int64[2]
 * b = Unsqueeze(a, axes)        →    c = Reshape(x, s2)
 * c = Flatten{axis=1}(b)             return y=c
 * return y=c
 * </pre>
 *
 * A shape in between stays when something else reads it. Tensors without elements are left alone: an extent of 0 means
 * "as before" in a shape.
 */
public final class CollapseReshapePass implements Pass {
  private static final Set<String> SHAPE_ONLY = Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze");

  @Override
  public String name() {
    return "collapse-reshape";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    NodeNames names = NodeNames.of(graph);
    return GraphRewriter.rewrite(graph, (old, current) -> {
      if (!isShapeOnly(current) || !isShapeOnly(current.inputs().get(0).node())) {
        return GraphRewriter.entries(current);
      }
      Shape shape = context.types().type(old.entry()).shape();
      return shape.elementCount() == 0
        ? GraphRewriter.entries(current)
        : GraphRewriter.entries(reshape(current, shape, names));
    });
  }

  private static Node reshape(Node last, Shape shape, NodeNames names) {
    NodeEntry source = last.inputs().get(0).node().inputs().get(0);
    TensorView extents = TensorView.ofLongs(shape.extents());
    Node target = Node.constant(names.unique(last.name() + "/shape"), extents);
    return Node.apply(last.name(), "Reshape", Attributes.NONE, List.of(source, target.entry()));
  }

  private static boolean isShapeOnly(Node node) {
    return node.kind() instanceof NodeKind.Apply apply && SHAPE_ONLY.contains(apply.operator());
  }
}
