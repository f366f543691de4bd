package dev.cairn.runtime.memory.analysis;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Training iterations written out by hand: a chain of square layers, h = relu(h·w), with the sum of the last one's
 * elements as loss. All assigns are declared last, so that the graph's own order has all updates at its end.
 */
public final class TrainingGraphs {
  private static final float RATE = 0.0625f;

  private final GraphBuilder builder;
  private final int width;
  private final List<NodeEntry> weights = new ArrayList<>();
  private final List<NodeEntry> gradients = new ArrayList<>();

  private TrainingGraphs(int layers, int batch, int width) {
    this.builder = new GraphBuilder("training");
    this.width = width;
    var random = new SplittableRandom(layers);
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, batch, width));
    List<NodeEntry> inputs = new ArrayList<>();
    List<NodeEntry> sums = new ArrayList<>();
    NodeEntry h = x;
    for (int layer = 0; layer < layers; layer++) {
      weights.add(builder.variable("w" + layer, matrix(i -> random.nextInt(-4, 5) / 8f)));
      inputs.add(h);
      sums.add(builder.apply("MatMul", h, weights.get(layer)));
      h = builder.apply("Relu", sums.get(layer));
    }
    builder.output("loss", builder.apply("ReduceSum", h));
    NodeEntry zero = scalar("zero", 0);
    NodeEntry above = null;
    for (int layer = layers - 1; layer >= 0; layer--) {
      NodeEntry passes = builder.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text("float32")),
        builder.apply("Greater", sums.get(layer), zero));
      NodeEntry sum = above == null ? passes : builder.apply("Mul", above, passes);
      gradients.addFirst(builder.apply("MatMul", builder.apply("Transpose", inputs.get(layer)), sum));
      above = builder.apply("MatMul", sum, builder.apply("Transpose", weights.get(layer)));
    }
  }

  /** Updates w - rate·gradient. */
  public static Graph sgd(int layers, int batch, int width) {
    var it = new TrainingGraphs(layers, batch, width);
    for (int layer = 0; layer < layers; layer++) {
      NodeEntry step = it.builder.apply("Mul", it.gradients.get(layer), it.scalar("rate" + layer, RATE));
      it.builder.assign(it.weights.get(layer), it.builder.apply("Sub", it.weights.get(layer), step));
    }
    return it.builder.build();
  }

  /** Adam without correction of its bias: the next m and v, which the next w reads. */
  public static Graph adam(int layers, int batch, int width) {
    var it = new TrainingGraphs(layers, batch, width);
    for (int layer = 0; layer < layers; layer++) {
      it.addAdam(layer);
    }
    return it.builder.build();
  }

  private void addAdam(int layer) {
    NodeEntry m = builder.variable("m" + layer, matrix(i -> 0f));
    NodeEntry v = builder.variable("v" + layer, matrix(i -> 0f));
    NodeEntry g = gradients.get(layer);
    NodeEntry nextM = builder.apply("Add", builder.apply("Mul", m, scalar("beta1", 0.9f)), builder.apply("Mul", g,
      scalar("rest1", 0.1f)));
    NodeEntry nextV = builder.apply("Add", builder.apply("Mul", v, scalar("beta2", 0.99f)), builder.apply("Mul",
      builder.apply("Mul", g, g), scalar("rest2", 0.01f)));
    NodeEntry root = builder.apply("Add", builder.apply("Sqrt", nextV), scalar("epsilon", 1e-6f));
    NodeEntry step = builder.apply("Div", builder.apply("Mul", nextM, scalar("rate", RATE)), root);
    builder.assign(m, nextM);
    builder.assign(v, nextV);
    builder.assign(weights.get(layer), builder.apply("Sub", weights.get(layer), step));
  }

  private TensorView matrix(IntFunction<Float> element) {
    float[] values = new float[width * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = element.apply(i);
    }
    return TensorView.ofFloats(Shape.of(width, width), values);
  }

  private NodeEntry scalar(String name, float value) {
    return builder.constant(name, TensorView.ofFloats(Shape.of(1), value));
  }
}
