package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A U-Net, whose last way up needs most of its plan: limits above that step are kept, others refused with it. */
class UnetLimitTest {
  private static final int SIDE = 512;
  private static final int CHANNELS = 16;
  private static final int LEVELS = 4;
  /** Enough to find words that fit, not the cheapest. */
  private static final long WORK = 10_000_000;

  private static NodeEntry weight(GraphBuilder graph, String name, long... extents) {
    Shape shape = Shape.of(extents);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i) / 16;
    }
    return graph.constant(name, TensorView.ofFloats(shape, values));
  }

  private static NodeEntry conv(GraphBuilder graph, String name, NodeEntry x, int in, int out) {
    return graph.apply("Relu", graph.apply("Conv", Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1)), x,
      weight(graph, name, out, in, 3, 3)));
  }

  private static Graph unet() {
    var graph = new GraphBuilder("unet");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 1, 3, SIDE, SIDE));
    Attributes halved = Attributes.NONE.with("strides", AttributeValue.Ints.of(2, 2));
    List<NodeEntry> skips = new ArrayList<>();
    int in = 3;
    for (int level = 0; level <= LEVELS; level++) {
      int out = CHANNELS << level;
      x = conv(graph, "down" + level + "b", conv(graph, "down" + level + "a", x, in, out), out, out);
      in = out;
      if (level < LEVELS) {
        skips.add(x);
        x = graph.apply("MaxPool", halved.with("kernel_shape", AttributeValue.Ints.of(2, 2)), x);
      }
    }
    Attributes doubled = Attributes.NONE.with("mode", new AttributeValue.Text("linear"));
    NodeEntry scales = graph.constant("scales", TensorView.ofFloats(Shape.of(4), 1, 1, 2, 2));
    for (int level = LEVELS - 1; level >= 0; level--) {
      int out = CHANNELS << level;
      NodeEntry wider = graph.apply("Resize", doubled, x, Node.absent(), scales);
      x = conv(graph, "wider" + level, wider, 2 * out, out);
      x = graph.apply("Concat", Attributes.NONE.with("axis", 1), skips.get(level), x);
      x = conv(graph, "up" + level + "b", conv(graph, "up" + level + "a", x, 2 * out, out), out, out);
    }
    graph.output("y", graph.apply("Conv", x, weight(graph, "last", 2, CHANNELS, 1, 1)));
    return graph.build();
  }

  @Test
  void itRunsInNineTenthsOfItsPlanAndNotInSix() {
    Graph graph = unet();
    Map<String, TensorType> types = Map.of("x", TensorType.of(DType.FLOAT32, 1, 3, SIDE, SIDE));
    CompileOptions compile = CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withWork(WORK));
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT.withThreads(1).withMemoryLimitBytes(
      1L << 40))) {
      MemoryNeed need = MemoryNeed.of(compiler.compile(graph, types, compile), true);
      List<Recomputed> found = Stream.of(9, 6)
        .map(tenths -> compiler.compile(graph, types, compile.withRecompute(compile
          .recompute().withLimitBytes(need.besidePlanBytes() + need.planBytes() * tenths / 10))).recomputed()
          .orElseThrow())
        .toList();
      assertThat(found.getFirst().fits()).isTrue();
      assertThat(found.getFirst().overhead()).isBetween(0.01, 0.1);
      assertThat(found.getLast().fits()).isFalse();
      assertThat((double) found.getLast().floorBytes() / need.planBytes()).isBetween(0.75, 0.85);
      assertThat(found.getLast().floorStep()).startsWith("Resize");
    }
  }
}
