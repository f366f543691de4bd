package dev.cairn.benchmarks.mxnet;

import dev.cairn.benchmarks.mxnet.SymbolNode.Output;
import dev.cairn.runtime.memory.planner.nnvm.ElementType;
import dev.cairn.runtime.memory.planner.nnvm.NodeTraits.InPlacePair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Writes graphs of MXNet's operators down, each with what MXNet 1.9.1 says of it. */
final class SymbolBuilder {
  private static final InPlacePair FIRST = new InPlacePair(0, 0, false);
  private static final InPlacePair SECOND = new InPlacePair(1, 0, false);
  private static final InPlacePair SAME = new InPlacePair(0, 0, true);

  private final List<SymbolNode> nodes = new ArrayList<>();

  SymbolGraph graph(String name, List<Output> outputs) {
    return new SymbolGraph(name, nodes, outputs);
  }

  List<Long> shape(Output output) {
    return nodes.get(output.node()).shapes().get(output.index());
  }

  ElementType type(Output output) {
    return nodes.get(output.node()).type();
  }

  Output variable(Long... shape) {
    return add(SymbolNode.variable(shape));
  }

  /** A function of each element, which may run in place. */
  Output unary(String operator, Output x) {
    return add(operator, Map.of(), List.of(x), shape(x), FIRST);
  }

  /** The same values again. */
  Output copy(Output x) {
    return add("_copy", Map.of(), List.of(x), shape(x), SAME);
  }

  Output cast(Output x, ElementType type) {
    return add(new SymbolNode("Cast", Map.of("dtype", type.name()), List.of(x), List.of(shape(x)), type,
      List.of(SAME)));
  }

  Output add(Output x, Output y) {
    return add("elemwise_add", Map.of(), List.of(x, y), shape(x), FIRST, SECOND);
  }

  /** Rows added up to one. */
  Output sumRows(Output x) {
    return add("sum", Map.of("axis", "0", "keepdims", "1"), List.of(x), withRows(shape(x), 1));
  }

  /** One row made many. */
  Output repeatRow(Output x, long rows) {
    return add("broadcast_axis", Map.of("axis", "0", "size", Long.toString(rows)), List.of(x),
      withRows(shape(x), rows));
  }

  /** Tensors joined along an axis. */
  Output concat(List<Output> inputs, int axis) {
    List<Long> shape = new ArrayList<>(shape(inputs.getFirst()));
    shape.set(axis, inputs.stream().mapToLong(it -> shape(it).get(axis)).sum());
    return add("Concat", Map.of("num_args", Integer.toString(inputs.size()), "dim", Integer.toString(axis)), inputs,
      shape);
  }

  /** Rows cut into so many parts. */
  List<Output> split(Output x, int parts) {
    List<Long> part = withRows(shape(x), shape(x).getFirst() / parts);
    Output first = add(new SymbolNode("_split_v2",
      Map.of("sections", Integer.toString(parts), "indices", "()", "axis", "0"), List.of(x),
      Collections.nCopies(parts, part), type(x), List.of()));
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      outputs.add(new Output(first.node(), i));
    }
    return outputs;
  }

  /** A convolution without bias, padded so that a stride of 1 keeps the size. */
  Output convolution(Output x, long channels, int kernel, int stride) {
    List<Long> in = shape(x);
    Output weight = variable(channels, in.get(1), (long) kernel, (long) kernel);
    return add("Convolution", Map.of("num_filter", Long.toString(channels), "kernel", square(kernel), "stride",
      square(stride), "pad", square(kernel / 2), "no_bias", "1"), List.of(x, weight),
      List.of(in.get(0), channels, Math.ceilDiv(in.get(2), stride), Math.ceilDiv(in.get(3), stride)));
  }

  Output pooling(Output x, int kernel, int stride) {
    List<Long> in = shape(x);
    return add("Pooling", Map.of("kernel", square(kernel), "stride", square(stride), "pad", square(kernel / 2),
      "pool_type", "avg"), List.of(x),
      List.of(in.get(0), in.get(1), Math.ceilDiv(in.get(2), stride), Math.ceilDiv(in.get(3), stride)));
  }

  Output fullyConnected(Output x, long units) {
    List<Long> in = shape(x);
    Output weight = variable(units, in.stream().skip(1).reduce(1L, Math::multiplyExact));
    return add("FullyConnected", Map.of("num_hidden", Long.toString(units), "no_bias", "1"), List.of(x, weight),
      List.of(in.getFirst(), units));
  }

  private static String square(int side) {
    return "(%d, %d)".formatted(side, side);
  }

  private static List<Long> withRows(List<Long> shape, long rows) {
    List<Long> other = new ArrayList<>(shape);
    other.set(0, rows);
    return other;
  }

  private Output add(String operator, Map<String, String> attributes, List<Output> inputs, List<Long> shape,
    InPlacePair... inPlace) {
    return add(new SymbolNode(operator, attributes, inputs, List.of(shape), type(inputs.getFirst()),
      List.of(inPlace)));
  }

  private Output add(SymbolNode node) {
    nodes.add(node);
    return new Output(nodes.size() - 1, 0);
  }
}
