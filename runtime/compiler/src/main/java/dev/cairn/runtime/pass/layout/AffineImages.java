package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.cpu.access.HalfNumber;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.simplify.ChannelAffine;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** {@code BatchNormalization} with constant parameters, on images with channels last: a product and a sum. */
record AffineImages(ImagePlaces places) {
  /** Null when the node stays as it is. */
  @Nullable
  Node normalization(Node old, Node current) {
    NodeEntry image = old.inputs().getFirst();
    TensorType type = places.type(image);
    if (!places.isImage(image) || !places.isLast(image) || !(type.dtype() == DType.FLOAT32 || type.dtype().isHalf())) {
      return null;
    }
    Optional<ChannelAffine> affine = ChannelAffine.of(current, 0, type);
    return affine.map(it -> {
      NodeEntry x = places.last(image, current.inputs().getFirst());
      NodeEntry scale = channels(old.name() + "/scale", type.dtype(), it.channels(), it::scale);
      NodeEntry shift = channels(old.name() + "/shift", type.dtype(), it.channels(), c -> it.applied(c, 0));
      Node scaled = Node.apply(places.unique(old.name() + "/scaled"), Operators.MUL, Attributes.NONE,
        List.of(x, scale));
      return Node.apply(old.name(), Operators.ADD, Attributes.NONE, List.of(scaled.entry(), shift));
    }).orElse(null);
  }

  private NodeEntry channels(String name, DType dtype, int count, IntToDoubleFunction values) {
    TensorView floats = HeapTensor.allocate(TensorType.of(DType.FLOAT32, count));
    for (int c = 0; c < count; c++) {
      floats.segment().setAtIndex(ValueLayout.JAVA_FLOAT, c, (float) values.applyAsDouble(c));
    }
    TensorView constant = floats;
    if (dtype.isHalf()) {
      constant = HeapTensor.allocate(TensorType.of(dtype, count));
      HalfNumber.narrow(dtype, floats.segment(), constant.segment(), 0, count);
    }
    return Node.constant(places.unique(name), constant).entry();
  }
}
