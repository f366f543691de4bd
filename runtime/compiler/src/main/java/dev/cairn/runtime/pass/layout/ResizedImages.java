package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.ResizeForm;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code Resize} to the nearest pixel, of images with their channels last: pixels are copied whole. Constant scales or
 * sizes change their order, too.
 */
record ResizedImages(ImagePlaces places) {
  private static final int REGION = 1;
  private static final int SCALES = 2;
  private static final int SIZES = 3;

  /** Null when the node stays as it is. */
  @Nullable
  Node resized(Node old, Node current, NodeKind.Apply kind) {
    NodeEntry image = old.inputs().getFirst();
    boolean hasRegion = old.inputs().size() > REGION && !old.inputs().get(REGION).isAbsent() && places.type(old.inputs()
      .get(REGION)).shape().elementCount() > 0;
    ResizeForm form = ResizeForm.of(kind.attributes());
    if (!form.isNearest() || !places.isImage(image) || !places.isLast(image) || hasRegion
      || form.axes().length > 0) {
      return null;
    }
    List<NodeEntry> operands = new ArrayList<>(current.inputs());
    operands.set(0, places.last(image, current.inputs().getFirst()));
    for (int input = SCALES; input <= Math.min(SIZES, operands.size() - 1); input++) {
      NodeEntry given = operands.get(input);
      if (given.isAbsent()) {
        continue;
      }
      if (!(given.node().kind() instanceof NodeKind.Constant(TensorView value))) {
        return null;
      }
      if (value.elementCount() > 0) {
        operands.set(input, Node.constant(places.unique(given.node().name() + "/nhwc"), reordered(value)).entry());
      }
    }
    return Node.apply(old.name(), kind, operands);
  }

  /** Puts numbers for the axes {@code N,C,H,W} into the order of the axes {@code N,H,W,C}. */
  private static TensorView reordered(TensorView numbers) {
    TensorView result = HeapTensor.allocate(numbers.type());
    long width = numbers.dtype().bytes();
    for (int axis = 0; axis < ChannelsLast.RANK; axis++) {
      long from = ChannelsLast.fromPlain().values().get(axis);
      MemorySegment.copy(numbers.segment(), from * width, result.segment(), axis * width, width);
    }
    return result;
  }
}
