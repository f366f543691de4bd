package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folded weights exist once a session, in its own memory, and nothing that is folded takes more than its limit. */
class FoldedWeightsTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(1);
  /** The bytes of the convolution's weights: 64 by 64 by 3 by 3 floats. */
  private static final long CONVOLUTION_BYTES = 64L * 64 * 3 * 3 * Float.BYTES;
  /** The bytes of the product's weights: 64 by 512 floats. */
  private static final long PRODUCT_BYTES = 64L * 512 * Float.BYTES;
  private static final long SMALL_BYTES = 4096;

  private final NettySubAllocator source = new NettySubAllocator();

  @TempDir
  Path folder;

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** Counts the bytes of blocks that are asked for in the name of weights. */
  private static final class WeightBytes implements AllocationListener {
    private final Map<Long, Long> bytesById = new HashMap<>();
    private int grants;

    @Override
    public synchronized void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
      if (owner.label().startsWith("weights")) {
        bytesById.put(allocationId, bytes);
        grants++;
      }
    }

    @Override
    public synchronized void freed(long allocationId, long address, long bytes) {
      bytesById.remove(allocationId);
    }

    synchronized long live() {
      return bytesById.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized int grants() {
      return grants;
    }
  }

  private static NodeEntry random(GraphBuilder builder, String name, long... shape) {
    TensorType type = TensorType.of(DType.FLOAT32, shape);
    float[] values = new float[(int) type.shape().elementCount()];
    var random = new Random(name.hashCode());
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.5f + random.nextFloat();
    }
    return builder.constant(name, TensorView.ofFloats(type.shape(), values));
  }

  private static NodeEntry generated(GraphBuilder builder, String name, float value, long... shape) {
    Attributes attributes = Attributes.of(Map.of("value", new AttributeValue.Tensor(TensorView.ofFloats(Shape.of(1),
      value))));
    return builder.apply("ConstantOfShape", attributes, builder.constant(name + "/shape", TensorView.ofLongs(shape)));
  }

  /** A convolution with its normalisation, and a product whose weights are turned round; the batch is open. */
  private static Graph model(boolean isGenerated) {
    var builder = new GraphBuilder("folded");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(64), new Dimension.Fixed(3), new Dimension.Fixed(3))));
    NodeEntry w = isGenerated
      ? generated(builder, "w", 0.25f, 64, 64, 3, 3)
      : random(builder, "w", 64, 64, 3, 3);
    NodeEntry c = builder.apply("Conv", x, w);
    NodeEntry n = builder.apply("BatchNormalization", c, random(builder, "s", 64), random(builder, "b", 64), random(
      builder, "m", 64), random(builder, "v", 64));
    NodeEntry flat = builder.apply("Flatten", builder.apply("Relu", n));
    NodeEntry p = isGenerated ? generated(builder, "p", 0.5f, 512, 64) : random(builder, "p", 512, 64);
    builder.output("y", builder.apply("MatMul", flat, builder.apply("Transpose", p)));
    return builder.build();
  }

  private static Tensor batch(int items) {
    float[] values = new float[items * 64 * 9];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i % 17) / 16f;
    }
    return Tensor.of(values, items, 64, 3, 3);
  }

  private void openBatchCountsWeightsOnce(Graph graph) {
    var weights = new WeightBytes();
    try (var session = Session.of(graph, OPTIONS.withMemoryListener(weights), source)) {
      for (int items = 1; items <= 5; items++) {
        session.run(Map.of("x", batch(items))).close();
        assertThat(weights.live()).as("batch 1 to %d", items)
          .isBetween(CONVOLUTION_BYTES + PRODUCT_BYTES, CONVOLUTION_BYTES + PRODUCT_BYTES + SMALL_BYTES);
      }
      assertThat(nativeBytesOfConstants(session)).as("native bytes that the compiled graph keeps").isZero();
      long pools = session.memoryStats().bytesInUse() - weights.live();
      assertThat(source.heldBytes()).as("what the process holds").isLessThan(CONVOLUTION_BYTES + PRODUCT_BYTES
        + SMALL_BYTES + pools + 64 * 1024);
    }
  }

  /** Bytes beside the allocator's: of constants that lie in native memory of their own. */
  private static long nativeBytesOfConstants(Session session) {
    long bytes = 0;
    for (Node node : session.compiled().orElseThrow().graph().graph().nodes()) {
      if (node.kind() instanceof NodeKind.Constant(TensorView value) && value.segment().isNative()) {
        bytes += value.type().bytes();
      }
    }
    return bytes;
  }

  @Test
  void openBatchCountsGeneratedWeightsOnce() {
    openBatchCountsWeightsOnce(model(true));
  }

  @Test
  void openBatchCountsNormalisedWeightsOnce() {
    openBatchCountsWeightsOnce(model(false));
  }

  @Test
  void foldedWeightsAreComputedOnceForAllShapes() {
    var weights = new WeightBytes();
    try (var session = Session.of(model(true), OPTIONS.withMemoryListener(weights), source)) {
      session.run(Map.of("x", batch(1))).close();
      int first = weights.grants();
      session.run(Map.of("x", batch(2))).close();
      assertThat(weights.grants()).isEqualTo(first);
    }
  }

  @Test
  void foldedWeightsGiveTheResultsOfThoseThatAreNot() {
    for (boolean isGenerated : new boolean[] {false, true}) {
      try (var folded = Session.of(model(isGenerated), OPTIONS, source);
        var plain = Session.of(model(isGenerated), OPTIONS.withCompile(OPTIONS.compile().withSimplify(false)), source);
        var wanted = plain.run(Map.of("x", batch(3)));
        var given = folded.run(Map.of("x", batch(3)))) {
        float[] expected = wanted.get("y").toFloatArray();
        float[] actual = given.get("y").toFloatArray();
        for (int i = 0; i < expected.length; i++) {
          assertThat(actual[i]).isCloseTo(expected[i], within(1e-4f * Math.abs(expected[i])));
        }
      }
    }
  }

  /** One block for the weights, and one in which all of them are computed. */
  @Test
  void allWeightsAreComputedInOnePieceOfMemory() {
    var weights = new WeightBytes();
    try (var session = Session.of(model(true), OPTIONS.withMemoryListener(weights), source)) {
      session.run(Map.of("x", batch(1))).close();
      assertThat(session.compiled().orElseThrow().storage().constants()).hasSizeGreaterThan(1);
      assertThat(weights.grants()).isEqualTo(2);
    }
  }

  @Test
  void theLimitHoldsWhileWeightsAreFolded() {
    var builder = new GraphBuilder("turned");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1, 64));
    builder.output("y", builder.apply("MatMul", x, builder.apply("Transpose", generated(builder, "p", 0.5f, 512, 64))));
    Graph graph = builder.build();
    // For a moment there are three copies of the weights (generated, transposed and packed) and their shape.
    var options = OPTIONS.withMemoryLimitBytes(3 * PRODUCT_BYTES + 256);
    try (var session = Session.of(graph, options, source);
      var result = session.run(Map.of("x", Tensor.of(new float[64], 1, 64)))) {
      assertThat(result.get("y").toFloatArray()).hasSize(512).containsOnly(0);
      assertThat(session.memoryStats().peakBytesInUse()).isEqualTo(3 * PRODUCT_BYTES + 256);
    }
    assertThatThrownBy(() -> Session.of(graph, OPTIONS.withMemoryLimitBytes(3 * PRODUCT_BYTES), source))
      .isInstanceOfSatisfying(OutOfMemory.class, e -> assertThat(e.owner().label()).startsWith(
        "weights/folding "));
  }

  @Test
  void whatIsGeneratedForASmallResultIsInsideTheLimit() {
    var builder = new GraphBuilder("large");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1));
    NodeEntry ones = generated(builder, "ones", 1, 1L << 30);
    builder.output("y", builder.apply("Add", x, builder.apply("ReduceSum", ones)));
    Graph graph = builder.build();
    assertThatThrownBy(() -> Session.of(graph, OPTIONS.withMemoryLimitBytes(1 << 20), source))
      .isInstanceOf(OutOfMemory.class);
  }

  @Test
  void aSliceOfAHugeFileReadsNoMoreThanItsResult() throws IOException {
    Path file = folder.resolve("weights.bin");
    TensorType type = TensorType.of(DType.FLOAT32, 1L << 30, 256);
    try (var channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
      StandardOpenOption.WRITE, StandardOpenOption.SPARSE); Arena arena = Arena.ofShared()) {
      // A TiB, for a copy of which no machine has room.
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, type.bytes(), arena);
      var builder = new GraphBuilder("sparse");
      NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 256));
      NodeEntry w = builder.constant("w", new TensorView(type, mapped));
      NodeEntry rows = builder.apply("Slice", w, builder.constant("from", TensorView.ofLongs(0)), builder.constant("to",
        TensorView.ofLongs(3)));
      builder.output("y", builder.apply("Add", x, rows));
      try (var session = Session.of(builder.build(), OPTIONS.withMemoryLimitBytes(1 << 20), source);
        var result = session.run(Map.of("x", Tensor.of(new float[256], 256)))) {
        assertThat(result.get("y").shape()).isEqualTo(Shape.of(3, 256));
        assertThat(result.get("y").toFloatArray()).containsOnly(0);
      }
    }
    Files.delete(file);
  }

  @Test
  void aFoldedValueMayBeNothingButNan() {
    var builder = new GraphBuilder("nan");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry zero = builder.constant("zero", TensorView.ofFloats(Shape.of(2), 0, 0));
    builder.output("y", builder.apply("Add", x, builder.apply("Div", zero, zero)));
    try (var session = Session.of(builder.build(), OPTIONS, source);
      var result = session.run(Map.of("x", Tensor.of(new float[2], 2)))) {
      assertThat(result.get("y").toFloatArray()).containsOnly(Float.NaN);
    }
  }
}
