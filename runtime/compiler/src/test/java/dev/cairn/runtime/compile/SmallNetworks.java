package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Scalars;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Small networks of any float type with a loss, for tests of whole gradients. Weights are variables; those of one name
 * have the same numbers in every type, as near as it holds them.
 */
final class SmallNetworks {
  /** Networks by name. */
  static final Map<String, Function<DType, Graph>> ALL = Map.of("mlp", SmallNetworks::mlp, "lenet",
    SmallNetworks::lenet, "resnet", SmallNetworks::resnet, "transformer", SmallNetworks::transformer, "lstm",
    SmallNetworks::lstm);

  private final DType dtype;
  private final GraphBuilder graph;

  private SmallNetworks(String name, DType dtype) {
    this.dtype = dtype;
    this.graph = new GraphBuilder(name);
  }

  /** Numbers between -1/2 and 1/2 that depend on the name alone, rounded to {@code float32} first. */
  static TensorView numbers(String name, TensorType type) {
    TensorView view = HeapTensor.allocate(type);
    var random = new SplittableRandom(name.hashCode());
    long bytes = type.dtype().bytes();
    for (long i = 0; i < view.elementCount(); i++) {
      view.segment().asSlice(i * bytes, bytes).copyFrom(Scalars.of(type.dtype(), (double) (float) (random.nextDouble()
        - 0.5)).segment());
    }
    return view;
  }

  private NodeEntry input(String name, long... extents) {
    return graph.input(name, TensorType.of(dtype, extents));
  }

  private NodeEntry weight(String name, long... extents) {
    return graph.variable(name, numbers(name, TensorType.of(dtype, extents)));
  }

  private NodeEntry scalar(double value) {
    return graph.constant("number", Scalars.of(dtype, value));
  }

  private NodeEntry longs(long... values) {
    return graph.constant("numbers", TensorView.ofLongs(values));
  }

  private NodeEntry reshape(NodeEntry x, long... extents) {
    return graph.apply("Reshape", x, longs(extents));
  }

  private NodeEntry transpose(NodeEntry x, long... order) {
    return graph.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(order)), x);
  }

  private NodeEntry linear(String name, NodeEntry x, long inputs, long outputs) {
    return graph.apply("Add", graph.apply("MatMul", x, weight(name + ".weight", inputs, outputs)),
      weight(name + ".bias",
        outputs));
  }

  /** The mean of squares. */
  private Graph withLoss(NodeEntry y) {
    graph.output("loss", graph.apply("ReduceMean", Attributes.NONE.with("keepdims", 0), graph.apply("Mul", y, y)));
    return graph.build();
  }

  private static Graph mlp(DType dtype) {
    var net = new SmallNetworks("mlp", dtype);
    NodeEntry x = net.input("x", 16, 24);
    x = net.graph.apply("Relu", net.linear("fc1", x, 24, 32));
    x = net.graph.apply("Tanh", net.linear("fc2", x, 32, 16));
    NodeEntry logits = net.graph.apply("Gemm", Attributes.NONE.with("transB", 1), x, net.weight("fc3.weight", 10, 16),
      net.weight("fc3.bias", 10));
    return net.withLoss(net.graph.apply("LogSoftmax", logits));
  }

  private NodeEntry convolution(String name, NodeEntry x, long stride, long... weights) {
    Attributes attributes = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(weights[2], weights[3])).with(
      "pads", AttributeValue.Ints.of(1, 1, 1, 1)).with("strides", AttributeValue.Ints.of(stride, stride));
    return graph.apply("Conv", attributes, x, weight(name + ".weight", weights), weight(name + ".bias", weights[0]));
  }

  private NodeEntry pool(String operator, NodeEntry x) {
    return graph.apply(operator, Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(2, 2)).with("strides",
      AttributeValue.Ints.of(2, 2)), x);
  }

  private static Graph lenet(DType dtype) {
    var net = new SmallNetworks("lenet", dtype);
    GraphBuilder graph = net.graph;
    NodeEntry x = net.input("x", 4, 1, 12, 12);
    x = net.pool("MaxPool", graph.apply("Relu", net.convolution("conv1", x, 1, 4, 1, 3, 3)));
    x = net.pool("AveragePool", graph.apply("Relu", net.convolution("conv2", x, 1, 6, 4, 3, 3)));
    return net.withLoss(graph.apply("LogSoftmax", net.linear("fc", graph.apply("Flatten", x), 54, 10)));
  }

  /** Two residual blocks with batch normalisation in training. */
  private static Graph resnet(DType dtype) {
    var net = new SmallNetworks("resnet", dtype);
    GraphBuilder graph = net.graph;
    NodeEntry x = graph.apply("Relu",
      net.normalized("stem", net.convolution("stem", net.input("x", 4, 3, 8, 8), 1, 6, 3,
        3, 3), 6));
    for (int block = 0; block < 2; block++) {
      String name = "block" + block;
      NodeEntry inner = graph.apply("Relu",
        net.normalized(name + "a", net.convolution(name + "a", x, 1, 6, 6, 3, 3), 6));
      NodeEntry outer = net.normalized(name + "b", net.convolution(name + "b", inner, 1, 6, 6, 3, 3), 6);
      x = graph.apply("Relu", graph.apply("Add", outer, x));
    }
    return net.withLoss(net.linear("fc", graph.apply("Flatten", graph.apply("GlobalAveragePool", x)), 6, 10));
  }

  private NodeEntry normalized(String name, NodeEntry x, long channels) {
    TensorType type = TensorType.of(dtype, channels);
    return graph.apply("BatchNormalization", Attributes.NONE.with("training_mode", 1), x, weight(name + ".scale",
      channels), weight(name + ".shift", channels), graph.constant(name + ".mean", HeapTensor.allocate(type)),
      graph
        .constant(name + ".var", HeapTensor.allocate(type)));
  }

  private NodeEntry layerNormalized(String name, NodeEntry x, long width) {
    return graph.apply("LayerNormalization", x, weight(name + ".weight", width), weight(name + ".bias", width));
  }

  /** One layer as exporters of PyTorch write BERT, with a causal mask. */
  private static Graph transformer(DType dtype) {
    var net = new SmallNetworks("transformer", dtype);
    GraphBuilder graph = net.graph;
    NodeEntry x = net.input("x", 2, 6, 16);
    NodeEntry q = net.heads(net.linear("query", x, 16, 16), 0, 2, 1, 3);
    NodeEntry k = net.heads(net.linear("key", x, 16, 16), 0, 2, 3, 1);
    NodeEntry v = net.heads(net.linear("value", x, 16, 16), 0, 2, 1, 3);
    NodeEntry scores = graph.apply("Div", graph.apply("MatMul", q, k), net.scalar(2));
    NodeEntry mask = graph.apply("Trilu", Attributes.NONE.with("upper", 0), graph.apply("Expand", net.scalar(1), net
      .longs(6, 6)));
    NodeEntry penalty = graph.apply("Mul", graph.apply("Sub", mask, net.scalar(1)), net.scalar(1e4));
    NodeEntry shares = graph.apply("Softmax", graph.apply("Add", scores, penalty));
    NodeEntry mixed = net.reshape(net.transpose(graph.apply("MatMul", shares, v), 0, 2, 1, 3), 2, 6, 16);
    NodeEntry attended = net.layerNormalized("norm1", graph.apply("Add", net.linear("output", mixed, 16, 16), x), 16);
    NodeEntry inner = net.linear("inner", attended, 16, 32);
    NodeEntry erf = graph.apply("Erf", graph.apply("Div", inner, net.scalar(Math.sqrt(2))));
    NodeEntry gelu = graph.apply("Mul", graph.apply("Mul", inner, graph.apply("Add", erf, net.scalar(1))), net.scalar(
      0.5));
    NodeEntry sum = graph.apply("Add", net.linear("outer", gelu, 32, 16), attended);
    return net.withLoss(graph.apply("Tanh", net.layerNormalized("norm2", sum, 16)));
  }

  private NodeEntry heads(NodeEntry x, long... order) {
    return transpose(reshape(x, 2, 6, 4, 4), order);
  }

  /** Four cells with the gates input, forget, cell, output of PyTorch. */
  private static Graph lstm(DType dtype) {
    var net = new SmallNetworks("lstm", dtype);
    GraphBuilder graph = net.graph;
    NodeEntry x = net.input("x", 4, 4, 6);
    NodeEntry inputs = net.weight("weight_ih", 6, 32);
    NodeEntry states = net.weight("weight_hh", 8, 32);
    NodeEntry bias = net.weight("bias", 32);
    NodeEntry hidden = graph.apply("Expand", net.scalar(0), net.longs(4, 8));
    NodeEntry cell = hidden;
    for (NodeEntry step : graph.applyForAll("Split", Attributes.NONE.with("num_outputs", 4), 4, x)) {
      NodeEntry at = graph.apply("Squeeze", step, net.longs(0));
      NodeEntry sum = graph.apply("Add", graph.apply("Add", graph.apply("MatMul", at, inputs), graph.apply("MatMul",
        hidden, states)), bias);
      var gates = graph.applyForAll("Split", Attributes.NONE.with("axis", 1).with("num_outputs", 4), 4, sum);
      NodeEntry kept = graph.apply("Mul", graph.apply("Sigmoid", gates.get(1)), cell);
      NodeEntry more = graph.apply("Mul", graph.apply("Sigmoid", gates.get(0)), graph.apply("Tanh", gates.get(2)));
      cell = graph.apply("Add", kept, more);
      hidden = graph.apply("Mul", graph.apply("Sigmoid", gates.get(3)), graph.apply("Tanh", cell));
    }
    return net.withLoss(hidden);
  }
}
