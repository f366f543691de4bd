package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.function.LongPredicate;

/**
 * Tells whether a node hands its first input on unchanged, so that it need not run. Says no where that is not
 * certain.
 */
final class NoOperation {
  private NoOperation() {}

  /** Whether the node's first result is its first input, bit for bit, and its other results are not read. */
  static boolean is(Node node, RewriteContext context) {
    if (!(node.kind() instanceof NodeKind.Apply(String operator, Attributes attributes, int outputs))) {
      return false;
    }
    return switch (operator) {
      case "Identity" -> true;
      case "Dropout" -> !DropoutForm.of(attributes).isTraining() && (outputs == 1 || context.readers(node
        .entry(1)) == 0) && isEvery(node, 2, true, mode -> mode == 0, context);
      case "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Expand", "Tile" -> keepsType(node, context);
      case "Transpose" -> keepsType(node, context) && keepsOrder(attributes, context.type(node.entry()).shape());
      case "Pad" -> keepsType(node, context) && isEvery(node, 1, false, pad -> pad == 0, context);
      // Walking backwards over the whole axis also keeps the type.
      case "Slice" -> keepsType(node, context) && isEvery(node, 4, true, step -> step > 0, context);
      case "Concat", "Sum", "Min", "Max" -> node.inputs().size() == 1;
      case "Split" -> outputs == 1;
      default -> false;
    };
  }

  private static boolean keepsType(Node node, RewriteContext context) {
    return context.type(node.entry()).equals(context.type(node.inputs().get(0)));
  }

  /** Whether the axes that have more than one element stay in their order. */
  private static boolean keepsOrder(Attributes attributes, Shape shape) {
    if (!TransposeForm.of(attributes).isGiven()) {
      return shape.rank() < 2;
    }
    long last = -1;
    for (long axis : TransposeForm.of(attributes).perm()) {
      if (shape.extent((int) axis) != 1) {
        if (axis < last) {
          return false;
        }
        last = axis;
      }
    }
    return true;
  }

  /** Whether the value of an input of whole numbers is known, and every element of it is such. */
  private static boolean isEvery(Node node, int input, boolean whenLeftOut, LongPredicate such,
    RewriteContext context) {
    if (input >= node.inputs().size() || node.inputs().get(input).isAbsent()) {
      return whenLeftOut;
    }
    NodeEntry entry = node.inputs().get(input);
    if (context.type(entry).dtype().isFloat()) {
      return false;
    }
    return context.types().value(entry).map(view -> {
      for (long i = 0; i < view.elementCount(); i++) {
        if (!such.test(view.longAt(i))) {
          return false;
        }
      }
      return true;
    }).orElse(false);
  }
}
