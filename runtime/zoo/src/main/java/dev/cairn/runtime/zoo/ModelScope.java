package dev.cairn.runtime.zoo;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NativeTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * One part of a model while it is built: where its nodes and weights get their names, and what all parts share. What is
 * learnt is named {@code weight} or {@code bias} within its scope, and nothing else is.
 */
final class ModelScope {
  private final GraphBuilder graph;
  private final WeightSource source;
  private final ZooOptions options;
  private final String path;

  private ModelScope(GraphBuilder graph, WeightSource source, ZooOptions options, String path) {
    this.graph = graph;
    this.source = source;
    this.options = options;
    this.path = path;
  }

  /** The outermost scope of a new model. */
  static ModelScope of(String name, ZooOptions options) {
    return new ModelScope(new GraphBuilder(name), new WeightSource(options.seed()), options, "");
  }

  ModelScope within(String inner) {
    return new ModelScope(graph.within(inner), source, options, path + inner + "/");
  }

  ModelScope within(int index) {
    return within(Integer.toString(index));
  }

  ZooOptions options() {
    return options;
  }

  /** An input of the model whose first axis is the batch. */
  NodeEntry input(String name, DType dtype, long... extentsOfOne) {
    var dimensions = new ArrayList<Dimension>();
    dimensions.add(options.batchDimension());
    LongStream.of(extentsOfOne).mapToObj(Dimension.Fixed::new).forEach(dimensions::add);
    return graph.input(name, new DeclaredType(dtype, dimensions));
  }

  NodeEntry apply(String operator, NodeEntry... inputs) {
    return graph.apply(operator, inputs);
  }

  NodeEntry apply(String operator, Attributes attributes, NodeEntry... inputs) {
    return graph.apply(operator, attributes, inputs);
  }

  List<NodeEntry> applyForAll(String operator, Attributes attributes, int outputs, NodeEntry... inputs) {
    return graph.applyForAll(operator, attributes, outputs, inputs);
  }

  NodeEntry reshape(NodeEntry data, long... extents) {
    return apply("Reshape", data, constant("shape", TensorView.ofLongs(extents)));
  }

  /** A constant with these values, which are copied. */
  NodeEntry constant(String name, TensorView value) {
    return graph.constant(name, NativeTensor.copyOf(value));
  }

  /** A number, to be stretched over whatever it meets. */
  NodeEntry scalar(String name, double value) {
    return constant(name, TensorView.ofFloats(Shape.SCALAR, (float) value));
  }

  /** Random numbers about a mean. */
  NodeEntry normal(String name, double mean, double deviation, long... extents) {
    return graph.constant(name, source.normal(path + name, Shape.of(extents), mean, deviation));
  }

  /** Random numbers between two bounds. */
  NodeEntry uniform(String name, double low, double high, long... extents) {
    return graph.constant(name, source.uniform(path + name, Shape.of(extents), low, high));
  }

  void output(String name, NodeEntry entry) {
    graph.output(name, entry);
  }

  Graph build() {
    return graph.build();
  }

  /** Whether a constant of this name is one that training changes. */
  static boolean isLearnt(String name) {
    String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1);
    return last.equals("weight") || last.equals("bias") || last.startsWith("weight_") || last.startsWith("bias_");
  }
}
