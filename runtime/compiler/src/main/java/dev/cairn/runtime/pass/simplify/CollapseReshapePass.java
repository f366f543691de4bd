package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * A function of each element between two of them, which only the last reads, moves before the first, next to what
 * computes its operand and could compute it, too:
 *
 * <pre>
 * a = Reshape(x, s)                  r = Relu(x)
 * r = Relu(a)                   →    b = Reshape(r, s2)
 * b = Flatten{axis=1}(r)             return y=b
 * return y=b
 * </pre>
 *
 * A shape in between stays when something else reads it. Tensors without elements are left alone: an extent of 0 means
 * "as before" in a shape.
 */
public final class CollapseReshapePass implements NodeRule {
  @Override
  public String name() {
    return "collapse-reshape";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    NodeEntry source = context.has(current, OperatorTrait.RESHAPES)
      ? source(current, context.readers(old.inputs().get(0)) == 1, context)
      : null;
    if (source == null) {
      return null;
    }
    Shape shape = context.type(old.entry()).shape();
    return shape.elementCount() == 0 ? null : reshape(current.name(), source, shape, context);
  }

  /**
   * The entry that the last of several nodes may read instead of its operand; null when it should read that.
   *
   * @param isAlone whether nothing else reads its operand
   */
  private static @Nullable NodeEntry source(Node last, boolean isAlone, RewriteContext context) {
    Node before = last.inputs().get(0).node();
    if (context.has(before, OperatorTrait.RESHAPES)) {
      return before.inputs().get(0);
    }
    if (isAlone && before.kind() instanceof NodeKind.Apply activation
      && context.row(before).filter(OperatorDefinition::isElementFunction).isPresent()
      && context.has(before.inputs().get(0).node(), OperatorTrait.RESHAPES)) {
      NodeEntry operand = before.inputs().get(0).node().inputs().get(0);
      return Node.apply(before.name(), activation, List.of(operand)).entry();
    }
    return null;
  }

  private static NodeEntry reshape(String name, NodeEntry source, Shape shape, RewriteContext context) {
    NodeEntry extents = context.constant(name + "/shape", TensorView.ofLongs(shape.extents()));
    return Node.apply(name, Operators.RESHAPE, Attributes.NONE, List.of(source, extents)).entry();
  }
}
