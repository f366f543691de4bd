package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.expression.NodeMaker;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NativeTensor;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.stream.LongStream;

/**
 * One part of a model while it is built: where its nodes and weights get their names, and what all parts share. Learnt
 * constants, and no others, are named {@code weight} or {@code bias} within their scopes.
 */
final class ModelScope {
  private final GraphBuilder graph;
  private final WeightSource source;
  private final ZooOptions options;
  private final String path;
  private final NodeMaker maker;

  private ModelScope(GraphBuilder graph, WeightSource source, ZooOptions options, String path) {
    this.graph = graph;
    this.source = source;
    this.options = options;
    this.path = path;
    this.maker = NodeMaker.of(graph);
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
  GraphExpression input(String name, DType dtype, long... extentsOfOne) {
    var dimensions = new ArrayList<Dimension>();
    dimensions.add(options.batchDimension());
    LongStream.of(extentsOfOne).mapToObj(Dimension.Fixed::new).forEach(dimensions::add);
    return of(graph.input(name, new DeclaredType(dtype, dimensions)));
  }

  private GraphExpression of(NodeEntry entry) {
    return new GraphExpression(entry, maker);
  }

  /** The same expression, whose functions make nodes in this scope. */
  GraphExpression on(GraphExpression x) {
    return x.by(maker);
  }

  GraphExpression reshape(GraphExpression data, long... extents) {
    return on(data).reshapeKeeping(constant("shape", TensorView.ofLongs(extents)));
  }

  /** A constant with these values, which are copied. */
  GraphExpression constant(String name, TensorView value) {
    return of(graph.constant(name, NativeTensor.copyOf(value)));
  }

  /** A number, to be stretched over whatever it meets. */
  GraphExpression scalar(String name, double value) {
    return constant(name, TensorView.ofFloats(Shape.SCALAR, (float) value));
  }

  /** Random numbers about a mean. */
  GraphExpression normal(String name, double mean, double deviation, long... extents) {
    return of(graph.constant(name, source.normal(path + name, Shape.of(extents), mean, deviation)));
  }

  /** Random numbers between two bounds. */
  GraphExpression uniform(String name, double low, double high, long... extents) {
    return of(graph.constant(name, source.uniform(path + name, Shape.of(extents), low, high)));
  }

  void output(String name, GraphExpression result) {
    graph.output(name, result.entry());
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
