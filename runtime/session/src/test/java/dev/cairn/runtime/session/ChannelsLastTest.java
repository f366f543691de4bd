package dev.cairn.runtime.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random networks over images: with channels last and fused, by oneDNN, they give what the portable kernels give. */
class ChannelsLastTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(2).withMaxConcurrentRuns(1);
  private static final Shape INPUT = Shape.of(2, 16, 9, 7);

  /** A network under construction: what has been computed so far, and the shape of each. */
  private static final class Network {
    private final SplittableRandom random;
    private final GraphBuilder builder = new GraphBuilder("network");
    private final List<NodeEntry> values = new ArrayList<>();
    private final List<Shape> shapes = new ArrayList<>();

    Network(long seed) {
      random = new SplittableRandom(seed);
      add(builder.input("x", new TensorType(DType.FLOAT32, INPUT)), INPUT);
    }

    private void add(NodeEntry value, Shape shape) {
      values.add(value);
      shapes.add(shape);
    }

    private NodeEntry constant(Shape shape) {
      float[] numbers = new float[(int) shape.elementCount()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = (float) (random.nextDouble() - 0.5) / 2;
      }
      return builder.constant("c" + values.size() + "_" + shape, TensorView.ofFloats(shape, numbers));
    }

    private NodeEntry positive(long channels) {
      float[] numbers = new float[(int) channels];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = 0.5f + (float) random.nextDouble();
      }
      return builder.constant("v" + values.size() + "_" + channels, TensorView.ofFloats(Shape.of(channels), numbers));
    }

    private int recent() {
      return values.size() - 1 - random.nextInt(Math.min(3, values.size()));
    }

    void grow() {
      int at = recent();
      NodeEntry x = values.get(at);
      Shape shape = shapes.get(at);
      switch (random.nextInt(13)) {
        case 0, 1, 2 -> convolve(x, shape);
        case 3 -> add(builder.apply("Relu", x), shape);
        case 4 -> add(builder.apply("Sigmoid", x), shape);
        case 5 -> join(at);
        case 6 -> pool(x, shape);
        case 7 -> concat(at);
        case 8 -> normalise(x, shape);
        case 9 -> shuffle(x, shape);
        case 10 -> add(builder.apply("Mul", x, constant(Shape.of(shape.extent(1), 1, 1))), shape);
        case 11 -> excite(x, shape);
        default -> transposed(x, shape);
      }
    }

    private void convolve(NodeEntry x, Shape shape) {
      long channels = shape.extent(1);
      boolean isDepthwise = random.nextInt(4) == 0;
      long group = isDepthwise ? channels : channels % 2 == 0 && random.nextInt(4) == 0 ? 2 : 1;
      long filters = isDepthwise ? channels : group * (1 + random.nextInt(24));
      boolean isPointwise = random.nextBoolean();
      long extent = isPointwise ? 1 : 3;
      Attributes attributes = Attributes.NONE.with("group", group);
      NodeEntry w = constant(Shape.of(filters, channels / group, extent, extent));
      add(builder.apply("Conv", isPointwise ? attributes : attributes.with("pads", AttributeValue.Ints.of(1, 1, 1, 1)),
        x, w, constant(Shape.of(filters))), shape.with(1, filters));
    }

    private void join(int at) {
      for (int i = 0; i < values.size(); i++) {
        if (i != at && shapes.get(i).equals(shapes.get(at))) {
          add(builder.apply(random.nextBoolean() ? "Add" : "Sum", values.get(at), values.get(i)), shapes.get(at));
          return;
        }
      }
    }

    private void pool(NodeEntry x, Shape shape) {
      if (shape.extent(2) < 3 || shape.extent(3) < 3) {
        return;
      }
      String operator = random.nextBoolean() ? "MaxPool" : "AveragePool";
      Attributes window = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(3, 3)).with("pads",
        AttributeValue.Ints.of(1, 1, 1, 1));
      add(builder.apply(operator, window, x), shape);
    }

    private void concat(int at) {
      for (int i = 0; i < values.size(); i++) {
        Shape shape = shapes.get(i);
        if (shape.with(1, 1).equals(shapes.get(at).with(1, 1)) && shape.extent(1) + shapes.get(at).extent(1) < 100) {
          add(builder.apply("Concat", Attributes.NONE.with("axis", random.nextBoolean() ? 1 : -3), values.get(i), values
            .get(at)), shape.with(1, shape.extent(1) + shapes.get(at).extent(1)));
          return;
        }
      }
    }

    private void normalise(NodeEntry x, Shape shape) {
      Shape channels = Shape.of(shape.extent(1));
      if (random.nextBoolean()) {
        add(builder.apply("BatchNormalization", x, constant(channels), constant(channels), constant(channels), positive(
          shape.extent(1))), shape);
      } else {
        add(builder.apply("LRN", Attributes.NONE.with("size", 2L + random.nextInt(3)), x), shape);
      }
    }

    private void shuffle(NodeEntry x, Shape shape) {
      if (shape.extent(1) % 2 != 0) {
        return;
      }
      long half = shape.extent(1) / 2;
      NodeEntry split = builder.apply("Reshape", x, builder.constant("g" + values.size(), TensorView.ofLongs(shape
        .extent(0), 2, half, shape.extent(2), shape.extent(3))));
      NodeEntry swapped = builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 2, 1, 3,
        4)), split);
      add(builder.apply("Reshape", swapped, builder.constant("j" + values.size(), TensorView.ofLongs(shape.extents()))),
        shape);
    }

    /** Channels weighed by their means, as squeeze-and-excitation does. */
    private void excite(NodeEntry x, Shape shape) {
      NodeEntry means = builder.apply(random.nextBoolean() ? "GlobalAveragePool" : "GlobalMaxPool", x);
      add(builder.apply("Mul", x, builder.apply("Sigmoid", means)), shape);
    }

    /** A plain operator in between. */
    private void transposed(NodeEntry x, Shape shape) {
      NodeEntry there = builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 3, 1, 2)), x);
      if (random.nextBoolean()) {
        add(there, Shape.of(shape.extent(0), shape.extent(3), shape.extent(1), shape.extent(2)));
      } else {
        add(builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 2, 3, 1)), there), shape);
      }
    }

    Graph build() {
      builder.output("y", values.getLast());
      builder.output("z", values.get(values.size() / 2));
      return builder.build();
    }
  }

  private static float[] input() {
    float[] values = new float[(int) INPUT.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7);
    }
    return values;
  }

  private static Map<String, float[]> run(Graph graph, SessionOptions options) {
    try (Session session = Session.of(graph, options);
      Tensor x = Tensor.of(input(), INPUT.extents());
      Result result = session.run(Map.of("x", x))) {
      return Map.of("y", result.get("y").toFloatArray(), "z", result.get("z").toFloatArray());
    }
  }

  @Test
  void randomNetworksGiveWhatPortableKernelsGive() {
    for (int seed = 0; seed < 60; seed++) {
      int number = seed;
      var network = new Network(seed);
      for (int i = 0; i < 6 + seed % 20; i++) {
        network.grow();
      }
      Graph graph = network.build();
      var plain = OPTIONS.withCompile(OPTIONS.compile().withFusion(FusionChoice.OFF)).withDevice(DeviceOptions.CPU
        .withKernels(Wanted.PORTABLE));
      Map<String, float[]> expected = run(graph, plain);
      Map<String, float[]> actual = run(graph, OPTIONS.withCompile(OPTIONS.compile().withStreams(1 + seed % 2)));
      assertThat(actual).hasSameSizeAs(expected);
      actual.forEach((output, values) -> assertClose(number, output, requireNonNull(expected.get(output)), values));
    }
  }

  private static void assertClose(int seed, String output, float[] expected, float[] actual) {
    assertThat(actual).hasSameSizeAs(expected);
    double range = 1;
    for (float value : expected) {
      range = Math.max(range, Math.abs(value));
    }
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) actual[i]).as("seed %d output %s element %d", seed, output, i).isCloseTo(expected[i],
        within(1e-4 * range));
    }
  }
}
