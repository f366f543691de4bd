package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Residual blocks of convolutions, whose sums and activations run in the convolutions' kernels. */
@Tag("long")
class EpiloguesOnCudaTest {
  private static final int CHANNELS = 12;
  private static final int BLOCKS = 3;

  private static SessionOptions cuda() {
    // No function is fused into a convolution that cuDNN may serve.
    return SessionOptions.DEFAULT.withThreads(1).withDevice(device());
  }

  private static DeviceOptions device() {
    return CudaUnderTest.device().withConvolutions(DeviceOptions.Convolutions.OWN);
  }

  /** x + f(f(x)), some times, each f a convolution and an activation; depthwise in the middle. */
  private static Graph blocks(Dimension batch) {
    var builder = new GraphBuilder("blocks");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(batch,
      new Dimension.Fixed(CHANNELS), new Dimension.Fixed(9), new Dimension.Fixed(7))));
    for (int block = 0; block < BLOCKS; block++) {
      Attributes same = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
      NodeEntry inner = builder.apply("HardSwish", builder.apply("Conv", same.with("group", CHANNELS), x, builder
        .constant("depthwise" + block, Models.weights(Shape.of(CHANNELS, 1, 3, 3), block))));
      NodeEntry outer = builder.apply("Conv", same, inner, builder.constant("full" + block, Models.weights(Shape.of(
        CHANNELS, CHANNELS, 3, 3), 100 + block)));
      x = builder.apply("Relu", builder.apply("Add", outer, x));
    }
    builder.output("y", x);
    return builder.build();
  }

  private static float[] run(Session session, int batch, int salt) {
    float[] values = new float[batch * CHANNELS * 9 * 7];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 0.7 + salt);
    }
    try (Tensor x = Tensor.of(values, batch, CHANNELS, 9, 7); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  private static void assertClose(float[] actual, float[] expected) {
    float largest = 0;
    for (float value : expected) {
      largest = Math.max(largest, Math.abs(value));
    }
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.length; i++) {
      assertThat(Math.abs(actual[i] - expected[i])).as("element " + i).isLessThanOrEqualTo(largest * 1e-5f);
    }
  }

  @Test
  void everyConvolutionTakesInWhatFollowsAndResultsAreTheProcessors() {
    Graph graph = blocks(new Dimension.Symbol("batch"));
    SessionOptions apart = cuda().withCompile(cuda().compile().withFusion(FusionChoice.OFF));
    try (var cpu = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
      var plain = Session.of(graph, apart);
      var fused = Session.of(graph, cuda());
      var launched = Session.of(graph, cuda().withDevice(device().withReplay(false)))) {
      for (int run = 0; run < 8; run++) {
        int batch = run == 4 || run == 5 ? 3 : 2;
        float[] there = run(fused, batch, run);
        assertClose(there, run(cpu, batch, run));
        assertClose(there, run(plain, batch, run));
        assertThat(there).isEqualTo(run(launched, batch, run));
      }
    }
    SessionOptions largest = cuda().withLargestShapes(Map.of("x", Shape.of(3, CHANNELS, 9, 7)));
    try (var fused = Session.of(graph, largest); var plain = Session.of(graph, apart)) {
      for (int batch : new int[] {3, 1, 2, 3}) {
        assertClose(run(fused, batch, batch), run(plain, batch, batch));
      }
    }
  }

  /**
   * Where tiles are few, their terms are cut into parts, which lie in scratch memory: a batch of 8 needs none of it.
   */
  @Test
  void aSmallerBatchMayWantScratchMemoryThatTheLargestDoesNot() {
    var builder = new GraphBuilder("parts");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(CHANNELS), new Dimension.Fixed(9), new Dimension.Fixed(7))));
    Attributes same = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
    NodeEntry wide = builder.apply("Conv", same, x, builder.constant("wide", Models.weights(Shape.of(40, CHANNELS, 3,
      3), 1)));
    builder.output("y", builder.apply("Relu", builder.apply("Conv", same, wide, builder.constant("narrow", Models
      .weights(Shape.of(CHANNELS, 40, 3, 3), 2)))));
    Graph graph = builder.build();
    SessionOptions largest = cuda().withLargestShapes(Map.of("x", Shape.of(8, CHANNELS, 9, 7)));
    for (FusionChoice fusion : List.of(FusionChoice.OFF, FusionChoice.AUTO)) {
      try (var cpu = Session.of(graph, SessionOptions.DEFAULT.withThreads(1));
        var session = Session.of(graph, largest.withCompile(largest.compile().withFusion(fusion)))) {
        for (int batch : new int[] {8, 1, 3, 8, 1}) {
          assertClose(run(session, batch, batch), run(cpu, batch, batch));
        }
      }
    }
  }

  @Test
  void noLaunchAndNoBufferIsLeftForWhatFollows() {
    Graph graph = blocks(new Dimension.Fixed(2));
    SessionOptions apart = cuda().withCompile(cuda().compile().withFusion(FusionChoice.OFF));
    try (var fused = Session.of(graph, cuda()); var plain = Session.of(graph, apart)) {
      CompiledGraph one = fused.compiled().orElseThrow();
      CompiledGraph many = plain.compiled().orElseThrow();
      assertThat(one.storage().steps()).hasSize(2 * BLOCKS).allMatch(it -> it.operator().equals(
        FusedProduct.OPERATOR));
      assertThat(many.storage().steps()).hasSize(5 * BLOCKS);
      assertThat(one.plan().peakBytes()).isLessThanOrEqualTo(many.plan().peakBytes());
      assertClose(run(fused, 2, 1), run(plain, 2, 1));
    }
  }
}
