package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ShuffleNet's exchange of channels between groups:
 *
 * <pre>
 * g = Reshape(x)                     [n,g,c,h,w]      g = Reshape(x)                     [n,h,w,g,c]
 * t = Transpose{perm=[0,2,1,3,4]}(g)             →    t = Transpose{perm=[0,1,2,4,3]}(g)
 * y = Reshape(t)                     [n,g*c,h,w]      y = Reshape(t)                     [n,h,w,g*c]
 * </pre>
 */
record ShuffledChannels(ImagePlaces places) {
  /** The last of the new nodes; null when a node is not the last of three nodes that shuffle channels. */
  @Nullable
  Node shuffle(Node old) {
    Node swap = old.inputs().getFirst().node();
    if (!places.isImage(old.entry()) || !swap.operator().equals(Operators.TRANSPOSE)
      || !TransposeForm.of(swap.kind().attributes()).isOrder(0, 2, 1, 3, 4)) {
      return null;
    }
    Node split = swap.inputs().getFirst().node();
    if (!split.operator().equals(Operators.RESHAPE)) {
      return null;
    }
    NodeEntry image = split.inputs().getFirst();
    Shape groups = places.type(split.entry()).shape();
    if (!places.isImage(image) || !places.isLast(image) || !isShuffle(places.type(image).shape(), groups, places.type(
      old.entry()).shape())) {
      return null;
    }
    Shape grouped = Shape.of(groups.extent(0), groups.extent(3), groups.extent(4), groups.extent(1), groups.extent(2));
    // The image lies with its channels last, so that it needs no plain form.
    NodeEntry x = places.last(image, image);
    NodeEntry apart = places.reshaped(places.unique(split.name() + "/nhwc"), x, grouped);
    NodeEntry swapped = Node
      .apply(places.unique(swap.name() + "/nhwc"), Operators.TRANSPOSE, Attributes.NONE.with("perm",
        AttributeValue.Ints.of(0, 1, 2, 4, 3)), List.of(apart))
      .entry();
    return places.reshaped(old.name(), swapped, ChannelsLast.of(places.type(old.entry())
      .shape())).node();
  }

  private static boolean isShuffle(Shape before, Shape groups, Shape after) {
    return before.equals(after) && groups.extent(0) == before.extent(0) && groups.extent(1) * groups.extent(2) == before
      .extent(1) && groups.extent(3) == before.extent(2) && groups.extent(4) == before.extent(3);
  }
}
