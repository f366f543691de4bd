package dev.cairn.runtime.onnx.encode;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Where each weight's bytes go: into the model, or, when there are too many of them, into a file beside it. There,
 * each begins at a page, so that it can be mapped; small constants stay in the model all the same.
 */
final class WeightPlacement {
  private static final long EXTERNAL_FROM_BYTES = 1024;
  private static final long PAGE_BYTES = 4096;

  private final List<Weight> weights = new ArrayList<>();
  private final List<Long> externalEnds = new ArrayList<>();

  /**
   * @param maxInlineBytes most bytes of weights that go into the model itself
   * @param location name of the file beside the model
   */
  WeightPlacement(Graph graph, ValueNames names, long maxInlineBytes, String location) {
    boolean external = bytes(graph) > maxInlineBytes;
    long end = 0;
    for (Node node : graph.nodes()) {
      if (!(node.kind() instanceof NodeKind.Constant(TensorView value))) {
        continue;
      }
      String name = names.of(node.entry());
      if (external && value.type().bytes() >= EXTERNAL_FROM_BYTES) {
        long offset = Math.ceilDiv(end, PAGE_BYTES) * PAGE_BYTES;
        weights.add(Weight.external(name, value, location, offset));
        end = offset + value.type().bytes();
      } else {
        weights.add(Weight.inline(name, value));
      }
      externalEnds.add(end);
    }
  }

  private static long bytes(Graph graph) {
    long bytes = 0;
    for (Node node : graph.nodes()) {
      bytes += node.kind() instanceof NodeKind.Constant(TensorView value) ? value.type().bytes() : 0;
    }
    return bytes;
  }

  List<Weight> weights() {
    return weights;
  }

  boolean hasExternal() {
    return weights.stream().anyMatch(Weight::external);
  }

  /** Writes the file beside the model. */
  void writeExternal(OutputStream out) throws IOException {
    long at = 0;
    for (int i = 0; i < weights.size(); i++) {
      Weight weight = weights.get(i);
      if (weight.external()) {
        long offset = externalEnds.get(i) - weight.value().type().bytes();
        out.write(new byte[(int) (offset - at)]);
        weight.writeBytes(out);
        at = externalEnds.get(i);
      }
    }
  }
}
