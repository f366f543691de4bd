package dev.cairn.gpu.model;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A model of towers over one input, {@code x} of [batch, 48]: sums, products, a reduction and a softmax. */
final class Towers {
  static final int WIDTH = 48;

  private Towers() {}

  static Graph model(int towers, int floors) {
    var random = new Random(7);
    var builder = new GraphBuilder("towers");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(WIDTH))));
    List<NodeEntry> tops = new ArrayList<>();
    for (int tower = 0; tower < towers; tower++) {
      NodeEntry top = x;
      for (int floor = 0; floor < floors; floor++) {
        NodeEntry scale = builder.constant("w%d.%d".formatted(tower, floor), weights(random));
        top = builder.apply("Tanh", builder.apply("Add", builder.apply("Mul", top, scale), x));
      }
      tops.add(builder.apply("Softmax", top));
    }
    NodeEntry sum = builder.apply("Sum", tops.toArray(NodeEntry[]::new));
    builder.output("y", sum);
    builder.output("mean", builder.apply("ReduceMean", sum, builder.constant("axes", TensorView.ofLongs(1))));
    return builder.build();
  }

  private static TensorView weights(Random random) {
    float[] values = new float[WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return TensorView.ofFloats(Shape.of(WIDTH), values);
  }

  static Tensor input(int batch, int salt) {
    float[] values = new float[batch * WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.cos(i * 0.3 + salt);
    }
    return Tensor.of(values, batch, WIDTH);
  }

  /** Both outputs, one after the other. */
  static float[] run(Session session, int batch, int salt) {
    try (Tensor x = input(batch, salt); Result result = session.run(Map.of("x", x))) {
      float[] y = result.get("y").toFloatArray();
      float[] mean = result.get("mean").toFloatArray();
      float[] all = new float[y.length + mean.length];
      System.arraycopy(y, 0, all, 0, y.length);
      System.arraycopy(mean, 0, all, y.length, mean.length);
      return all;
    }
  }
}
