package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.expression.NodeMaker;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.List;

/**
 * The replacement of an old node, as expressions: their functions make nodes beside the old one, named after it. A
 * function of {@link #last} makes the node that has the old one's name.
 */
public record Replacement(OldNode old, UpgradeScope scope) {
  public GraphExpression of(NodeEntry entry) {
    return new GraphExpression(entry, NodeMaker.named(operator -> scope.name(old, operator)));
  }

  /** An input of the old node, which may be absent. */
  public GraphExpression input(int index) {
    return of(old.input(index));
  }

  public boolean hasInput(int index) {
    return !old.input(index).isAbsent();
  }

  /** The expression, whose next function makes the last node, with as many results as the old one. */
  public GraphExpression last(GraphExpression expression) {
    return last(expression, old.outputs());
  }

  /** The expression, whose next function makes the last node, with so many results. */
  public GraphExpression last(GraphExpression expression, int results) {
    NodeMaker named = NodeMaker.named(_ -> old.name());
    return expression.by(new NodeMaker() {
      @Override
      public NodeEntry constant(TensorView value) {
        return named.constant(value);
      }

      @Override
      public List<NodeEntry> apply(NodeKind.Apply kind, List<NodeEntry> operands) {
        return named.apply(new NodeKind.Apply(kind.operator(), kind.attributes(), results), operands);
      }
    });
  }

  /** A tensor for an input of the old node, named after it. */
  public GraphExpression constant(String input, TensorView value) {
    return of(scope.constant(old, input, value));
  }

  /** Whole numbers for an input of the old node, named after it. */
  public GraphExpression longs(String input, long... values) {
    return constant(input, TensorView.ofLongs(values));
  }

  /** A whole number for an input of the old node, named after it: a scalar. */
  public GraphExpression whole(String input, long value) {
    return constant(input, TensorView.ofLong(value));
  }

  /** A {@code float32} number for an input of the old node, named after it. */
  public GraphExpression single(String input, float value) {
    return of(scope.single(old, input, value));
  }

  /** A {@code float32} number for an input of the old node, converted to the type of its first input. */
  public GraphExpression likeFirst(String input, float value) {
    return single(input, value).castLike(input(0));
  }

  /** An attribute of the old node as a number of the type of its first input. */
  public GraphExpression attribute(String name, float absent) {
    return likeFirst(name, old.attributes().getFloat(name, absent));
  }
}
