package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A reference model that is written as layers, so that it can be trained. */
abstract class LayeredModel implements ZooModel {
  private static final double GAIN = 2;

  /** The layers, without values. */
  abstract Layer network();

  abstract DType inputType();

  /** The extents of one item of the input. */
  abstract long[] extentsOfOne(ZooOptions options);

  @Override
  public final Graph build(ZooOptions options) {
    Layer network = network();
    long[] extents = LongStream.concat(LongStream.of(options.batchExtent()), LongStream.of(extentsOfOne(options)))
      .toArray();
    PartialType type = PartialType.of(inputType(), extents);
    network.initialize(Initializers.zero(), options.seed(), type);
    var source = new WeightSource(options.seed());
    Map<String, Parameter> all = new LinkedHashMap<>(network.parameters());
    all.putAll(network.states());
    all.forEach((path, parameter) -> parameter.set(values(source, path, parameter.value().shape())));
    return named(network.graph(type), options, extents);
  }

  /** Values that keep the scale, and differ with the seed: those of normalisations, too. */
  private static TensorView values(WeightSource source, String path, Shape shape) {
    String role = path.substring(path.lastIndexOf('.') + 1);
    if (role.equals("running_var")) {
      return source.uniform(path, shape, 0.75, 1.25);
    }
    if (shape.rank() < 2) {
      return source.normal(path, shape, role.equals("weight") ? 1 : 0, 0.1);
    }
    double fan = (double) shape.elementCount() / shape.extent(0);
    return source.normal(path, shape, 0, Math.sqrt(GAIN / fan));
  }

  /** The graph with the names of input and output that all reference models have. */
  private Graph named(Graph graph, ZooOptions options, long... extents) {
    List<Dimension> dimensions = new ArrayList<>();
    dimensions.add(options.batchDimension());
    LongStream.of(extents).skip(1).mapToObj(Dimension.Fixed::new).forEach(dimensions::add);
    Node input = Node.input("input", new DeclaredType(inputType(), dimensions));
    NodeEntry result = GraphRewriter.substitute(List.of(graph.outputs().getFirst().entry()), Map.of(graph.inputs()
      .getFirst(), input.entry())).getFirst();
    return new Graph(name(), List.of(input), List.of(new Graph.Output("logits", result)), List.of());
  }
}
