package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The types of the parameters of bodies, and of stacked results. */
public final class BodyTypes {
  private static final TensorType TRIP = TensorType.of(DType.INT64);
  private static final TensorType CONDITION = TensorType.of(DType.BOOL);

  private BodyTypes() {}

  /**
   * The types of the parameters of a node's bodies, in their order.
   *
   * @param types of what the node reads
   * @throws InvalidGraph when an axis to slice does not exist
   */
  public static List<TensorType> parameters(Node node, Function<NodeEntry, TensorType> types) {
    List<NodeEntry> inputs = node.inputs();
    if (!(node.kind() instanceof NodeKind.Repeat repeat)) {
      return inputs.subList(1, inputs.size()).stream().map(types).toList();
    }
    List<TensorType> parameters = new ArrayList<>(List.of(TRIP, CONDITION));
    int scanned = 2 + repeat.carried();
    inputs.subList(2, scanned).forEach(input -> parameters.add(types.apply(input)));
    for (int i = 0; i < repeat.scanned().size(); i++) {
      TensorType whole = types.apply(inputs.get(scanned + i));
      parameters.add(slice(whole, axis(node, repeat.scanned().get(i), whole.shape().rank())));
    }
    inputs.subList(repeat.firstCapture(), inputs.size()).forEach(input -> parameters.add(types.apply(input)));
    return parameters;
  }

  /** The parameters' types by name, for {@link TypeInference#infer}. */
  public static Map<String, TensorType> named(Graph body, List<TensorType> parameters) {
    Map<String, TensorType> named = new LinkedHashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      named.put(body.inputs().get(i).name(), parameters.get(i));
    }
    return named;
  }

  /**
   * The axis along which slices lie in a tensor.
   *
   * @param rank of the whole tensor
   * @throws InvalidGraph when there is no such axis
   */
  public static int axis(Node node, NodeKind.Repeat.Slices slices, int rank) {
    if (slices.axis() < -rank || slices.axis() >= rank) {
      throw new InvalidGraph(node.name(), "no such axis to slice: axis=%d rank=%d".formatted(slices.axis(), rank));
    }
    return (int) (slices.axis() < 0 ? slices.axis() + rank : slices.axis());
  }

  /** A tensor without an axis. */
  public static TensorType slice(TensorType whole, int axis) {
    return whole.withShape(whole.shape().without(axis));
  }

  /**
   * The slices of all trips as one tensor.
   *
   * @throws InvalidGraph when there is no such axis, or the tensor exceeds the address space
   */
  public static TensorType stacked(Node node, NodeKind.Repeat.Slices slices, TensorType slice, long trips) {
    int axis = axis(node, slices, slice.shape().rank() + 1);
    if (trips > TypeInference.MAX_BYTES / Math.max(1, slice.bytes())) {
      throw new InvalidGraph(node.name(), "a stacked result exceeds the address space: slice=%s trips=%d".formatted(
        slice, trips));
    }
    return slice.withShape(slice.shape().inserted(axis, trips));
  }
}
