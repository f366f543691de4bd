package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The key of a plan.
 *
 * @param types of all inputs, by name
 * @param values the bytes of the inputs whose values decide shapes, by name
 */
record PlanKey(Map<String, TensorType> types, Map<String, ByteBuffer> values) {
  PlanKey {
    types = Map.copyOf(types);
    values = Map.copyOf(values);
  }

  /** A copy of an input's bytes, as keys have them. */
  static ByteBuffer bytes(MemorySegment value) {
    return ByteBuffer.wrap(value.toArray(ValueLayout.JAVA_BYTE));
  }

  /** The graph with these values as constants; it still declares the inputs. */
  Graph bound(Graph graph) {
    Map<Node, NodeEntry> places = new HashMap<>();
    for (Node input : graph.inputs()) {
      ByteBuffer bytes = values.get(input.name());
      TensorType type = types.get(input.name());
      if (bytes != null && type != null) {
        var value = new TensorView(type, MemorySegment.ofBuffer(bytes).asReadOnly());
        places.put(input, Node.constant(input.name() + "/value", HeapTensor.copyOf(value)).entry());
      }
    }
    return places.isEmpty() ? graph : GraphRewriter.substitute(graph, places);
  }
}
