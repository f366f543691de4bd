package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The operators of exporters' shape arithmetic on lists of {@code int64}, written out for tests: no kernel is needed
 * to see what inference does. Keeps the names of the nodes it was asked to compute.
 */
final class HostArithmetic implements ValueEvaluator {
  final List<String> asked = new ArrayList<>();

  @Override
  public Optional<List<TensorView>> evaluate(Node node, List<Optional<TensorView>> inputs, List<TensorType> outputs) {
    asked.add(node.name());
    long[] first = inputs.get(0).orElseThrow().toLongArray();
    long[] second = inputs.size() > 1 ? inputs.get(1).orElseThrow().toLongArray() : new long[0];
    Optional<long[]> result = switch (node.operator()) {
      case "Gather" -> Optional.of(LongStream.of(second).map(i -> first[(int) i]).toArray());
      case "Concat" -> Optional.of(inputs.stream().map(Optional::orElseThrow).map(TensorView::toLongArray)
        .flatMapToLong(LongStream::of).toArray());
      case "Mul" -> Optional.of(LongStream.range(0, first.length).map(i -> first[(int) i] * second[(int) i]).toArray());
      case "Div" -> Optional.of(LongStream.range(0, first.length).map(i -> first[(int) i] / second[(int) i]).toArray());
      default -> Optional.empty();
    };
    return result.map(values -> List.of(TensorView.ofLongs(values).reshaped(outputs.get(0).shape())));
  }
}
