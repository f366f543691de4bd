package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which entries of a graph lie with their channels last, and how to bring others there and back. */
final class ImagePlaces {
  private final GraphTypes types;
  private final NodeNames names;
  private final Map<NodeEntry, NodeEntry> channelsLast = new HashMap<>();

  ImagePlaces(Graph graph, GraphTypes types) {
    this.types = types;
    this.names = NodeNames.of(graph);
  }

  /** The type that an entry of the old graph has. */
  TensorType type(NodeEntry old) {
    return types.type(old);
  }

  /** Whether an entry has four axes, as images have. */
  boolean isImage(NodeEntry old) {
    return type(old).shape().rank() == ChannelsLast.RANK;
  }

  /** Whether an entry lies with its channels last already. */
  boolean isLast(NodeEntry old) {
    return channelsLast.containsKey(old);
  }

  /** Whether the bytes of an image are the same either way: one channel, or one pixel. */
  boolean isThin(NodeEntry old) {
    Shape shape = type(old).shape();
    return shape.extent(1) == 1 || (shape.extent(2) == 1 && shape.extent(3) == 1);
  }

  /**
   * An image with its channels last, transposed if need be.
   *
   * @param current the entry in the new graph
   */
  NodeEntry last(NodeEntry old, NodeEntry current) {
    return channelsLast.computeIfAbsent(old, _ -> {
      String name = names.unique(old.node().name() + "/nhwc");
      return isThin(old)
        ? reshaped(name, current, ChannelsLast.of(type(old).shape()))
        : transposed(name, current, ChannelsLast.fromPlain());
    });
  }

  /** Records that an entry lies with its channels last, and returns the plain image for readers that need it. */
  NodeEntry made(NodeEntry old, NodeEntry made) {
    channelsLast.put(old, made);
    String name = names.unique(old.node().name() + "/nchw");
    return isThin(old)
      ? reshaped(name, made, type(old).shape())
      : transposed(name, made, ChannelsLast.toPlain());
  }

  /**
   * Records that an entry of the old graph, which has its channels last though it is written as a plain image, is this
   * entry.
   */
  void isSame(NodeEntry old, NodeEntry last) {
    channelsLast.put(old, last);
  }

  String unique(String name) {
    return names.unique(name);
  }

  /**
   * The same bytes in another shape with the same batch. The new node does not state the batch, so it serves all
   * batches.
   */
  NodeEntry reshaped(String name, NodeEntry entry, Shape shape) {
    long[] extents = shape.extents();
    extents[0] = 0;
    return reshaped(name, entry, extents);
  }

  /**
   * The same bytes in another shape.
   *
   * @param extents 0 where the extent of the same axis is to stay
   */
  NodeEntry reshaped(String name, NodeEntry entry, long... extents) {
    NodeEntry shape = Node.constant(names.unique(name + "/shape"), TensorView.ofLongs(extents)).entry();
    return Node.apply(name, Operators.RESHAPE, Attributes.NONE, List.of(entry, shape)).entry();
  }

  private static NodeEntry transposed(String name, NodeEntry entry,
    AttributeValue.Ints order) {
    return Node.apply(name, Operators.TRANSPOSE, Attributes.NONE.with("perm", order), List.of(entry)).entry();
  }
}
