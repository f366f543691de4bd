package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import java.util.Map;

/** Chooses nodes that are computed again for the gradient, so that their results need not be kept. */
@FunctionalInterface
public interface MirrorChoice {
  /** Nothing is computed again. */
  MirrorChoice NONE = graph -> Map.of();
  /** Nodes with the note {@code force_mirroring}, as MXNet copies them. */
  MirrorChoice NOTED = new NnvmMirror(false);
  /** All nodes but slow ones, as MXNet copies them with {@code MXNET_BACKWARD_DO_MIRROR}. */
  MirrorChoice NNVM = new NnvmMirror(true);

  /**
   * The node that gradients read in place of a node of the forward graph. They read the original of an entry that is
   * not in the map. A node in the map has the same kind as the one whose place it takes, and no assign depends on it.
   */
  Map<Node, Node> of(Graph graph);
}
