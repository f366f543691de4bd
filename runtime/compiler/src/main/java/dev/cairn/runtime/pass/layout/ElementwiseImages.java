package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Element-wise operators on images with channels last: broadcasting commutes with the order of axes. */
record ElementwiseImages(ImagePlaces places, OperatorTable operators) {
  /** Null when the node stays as it is. */
  @Nullable
  Node elementwise(Node old, Node current, NodeKind.Apply kind) {
    if (kind.outputs() != 1 || !operators.get(kind.operator()).memory().elementwise() || !places.isImage(old
      .entry()) || places.isThin(old.entry())) {
      return null;
    }
    List<NodeEntry> images = old.inputs().stream().filter(it -> !it.isAbsent() && places.isImage(it)).toList();
    if (!ChannelsLastWalk.mostLieSo(images, places)) {
      return null;
    }
    List<NodeEntry> operands = new ArrayList<>();
    for (int i = 0; i < old.inputs().size(); i++) {
      NodeEntry operand = operand(old.inputs().get(i), current.inputs().get(i));
      if (operand == null) {
        return null;
      }
      operands.add(operand);
    }
    return Node.apply(old.name(), kind, operands);
  }

  /** An operand in a shape that broadcasts against images with channels last as it did against plain images. */
  private @Nullable NodeEntry operand(NodeEntry old, NodeEntry current) {
    if (old.isAbsent()) {
      return current;
    }
    Shape shape = places.type(old).shape();
    if (shape.elementCount() == 1 && shape.rank() <= 1) {
      return current;
    }
    if (places.isImage(old)) {
      return places.last(old, current);
    }
    Shape stretched = stretched(shape);
    boolean isAlongOneAxis = shape.rank() < ChannelsLast.RANK && stretched.elementCount() == Arrays.stream(stretched
      .extents()).max().orElse(0);
    return isAlongOneAxis
      ? places.reshaped(places.unique(old.node().name() + "/nhwc"), current, ChannelsLast.of(stretched)
        .extents())
      : null;
  }

  private static Shape stretched(Shape shape) {
    long[] extents = {1, 1, 1, 1};
    for (int axis = 1; axis <= Math.min(shape.rank(), ChannelsLast.RANK); axis++) {
      extents[ChannelsLast.RANK - axis] = shape.extent(-axis);
    }
    return Shape.of(extents);
  }
}
