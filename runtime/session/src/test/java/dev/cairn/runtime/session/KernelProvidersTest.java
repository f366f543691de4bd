package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelProvider;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.HostBackend;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions over the processor's kernels, from whichever providers there are. */
class KernelProvidersTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(1);
  private static final int CHANNELS = 32;
  private static final int PIXELS = CHANNELS * 12 * 12;

  /** Two convolutions with one filter, and a product. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(CHANNELS), new Dimension.Fixed(12), new Dimension.Fixed(12))));
    Attributes pads = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
    NodeEntry w = builder.constant("w", weights(Shape.of(CHANNELS, CHANNELS, 3, 3)));
    NodeEntry first = builder.apply("Conv", pads, x, w);
    NodeEntry second = builder.apply("Conv", pads, builder.apply("Relu", first), w);
    builder.output("y", builder.apply("MatMul", second, builder.constant("m", weights(Shape.of(12, 40)))));
    return builder.build();
  }

  private static TensorView weights(Shape shape) {
    var random = new Random(shape.rank());
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian() / 16;
    }
    return TensorView.ofFloats(shape, values);
  }

  private static float[] input(int batch) {
    float[] values = new float[batch * PIXELS];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 17 / 8f - 1;
    }
    return values;
  }

  private static float[] run(Session session, int batch) {
    try (Tensor x = Tensor.of(input(batch), batch, CHANNELS, 12, 12); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  private static Session session(Wanted kernels, int threads) {
    return Session.of(model(), OPTIONS.withThreads(threads).withDevice(DeviceOptions.CPU.withKernels(kernels)));
  }

  private static Session oneDnn(int threads) {
    Session session = session(Wanted.ONEDNN, threads);
    if (!session.kernels().contains("oneDNN")) {
      session.close();
      assumeTrue(false, "no oneDNN here");
    }
    return session;
  }

  private static void assertClose(float[] actual, float[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    IntStream.range(0, expected.length).forEach(i -> assertThat(actual[i]).isCloseTo(expected[i], within(1e-4f)));
  }

  @Test
  void whateverServesTheResultsAreThose() {
    float[] truth;
    try (Session session = session(Wanted.PORTABLE, 1)) {
      assertThat(session.kernels()).isEqualTo("portable");
      truth = run(session, 2);
    }
    try (Session session = session(Wanted.VECTOR, 2)) {
      assertThat(session.kernels()).matches("vector.*, portable");
      assertClose(run(session, 2), truth);
    }
    for (int threads = 1; threads <= 2; threads++) {
      try (Session session = oneDnn(threads)) {
        assertThat(session.kernels()).matches("oneDNN 3\\.11 on .*, vector.*, portable");
        assertClose(run(session, 2), truth);
        assertThat(session.compiled().orElseThrow().kernels()).extracting(row -> row.twin()).contains(Twin.ONEDNN);
      }
    }
  }

  /** A few roundings to 8 bits; and filters that take half the bytes where oneDNN multiplies such numbers. */
  @Test
  void whateverServesBfloat16IsClose() {
    float[] truth;
    try (Session session = session(Wanted.PORTABLE, 1)) {
      truth = run(session, 2);
    }
    double range = IntStream.range(0, truth.length).mapToDouble(i -> Math.abs(truth[i])).max().orElseThrow();
    CompileOptions halved = OPTIONS.compile().withPrecision(Precision.BFLOAT16);
    for (Wanted kernels : Wanted.values()) {
      SessionOptions options = OPTIONS.withThreads(2).withCompile(halved).withDevice(DeviceOptions.CPU.withKernels(
        kernels));
      try (Session session = Session.of(model(), options)) {
        float[] actual = run(session, 2);
        assertThat(actual).hasSameSizeAs(truth);
        IntStream.range(0, truth.length).forEach(i -> assertThat(actual[i]).isCloseTo(truth[i], within((float) (range
          * 0x1p-6))));
        assertThat(run(session, 2)).isEqualTo(actual);
        if (session.kernels().contains("bfloat16")) {
          assertThat(filterBytes(session)).isEqualTo(9L * CHANNELS * CHANNELS * Short.BYTES);
          assertThat(session.compiled().orElseThrow().kernels()).filteredOn(row -> row.twin() == Twin.ONEDNN)
            .hasSizeGreaterThanOrEqualTo(3);
        }
      }
    }
  }

  @Test
  void packedWeightsAreStoredOnceAndInsteadOfThePlainOnes() {
    try (Session session = oneDnn(1)) {
      run(session, 1);
      CompiledGraph compiled = session.compiled().orElseThrow();
      List<Node> constants = compiled.storage().constants();
      assertThat(constants).extracting(Node::name).doesNotContain("w").anyMatch(it -> it.startsWith("w/packed"));
      assertThat(constants).filteredOn(it -> it.name().startsWith("w")).hasSize(1);
      long one = session.memoryStats().bytesInUse();
      run(session, 1);
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(one);
    }
  }

  /** Scratchpads and reordered tensors are planned: nothing else is allocated for them. */
  @Test
  void thePlannedPeakIsThePeak() {
    try (Session session = oneDnn(2)) {
      run(session, 3);
      assertPeakIsPlanned(session);
    }
  }

  private static void assertPeakIsPlanned(Session session) {
    CompiledGraph compiled = session.compiled().orElseThrow();
    long weights = compiled.storage().constants().stream().mapToLong(node -> (node.constant().orElseThrow().type()
      .bytes() + 63) / 64 * 64).sum();
    long results = compiled.outputTypes().values().stream().mapToLong(TensorType::bytes).sum();
    assertThat(compiled.storage().workspaces()).anyMatch(Optional::isPresent);
    assertThat(session.memoryStats().peakBytesInUse()).isBetween(weights + compiled.plan().peakBytes() + results,
      weights + compiled.plan().peakBytes() + results + 512);
  }

  @Test
  void winogradsWeightsAreStoredUnlessMemoryIsLimited() {
    float[] truth;
    long direct;
    try (Session session = oneDnn(1)) {
      truth = run(session, 3);
      direct = filterBytes(session);
    }
    long transformed = 36L * CHANNELS * CHANNELS * Float.BYTES;
    assertThat(direct).isLessThan(transformed);
    for (int threads = 1; threads <= 2; threads++) {
      try (Session session = session(Wanted.WINOGRAD, threads)) {
        assertClose(run(session, 3), truth);
        assertThat(filterBytes(session)).isEqualTo(transformed);
        assertThat(run(session, 3)).isEqualTo(run(session, 3));
      }
    }
    SessionOptions limited = OPTIONS.withMemoryLimitBytes(1L << 30);
    try (Session session = Session.of(model(), limited)) {
      assertClose(run(session, 3), truth);
      assertThat(filterBytes(session)).isEqualTo(direct);
    }
  }

  private static long filterBytes(Session session) {
    return session.compiled().orElseThrow().storage().constants().stream().filter(it -> it.name().startsWith("w"))
      .mapToLong(it -> it.constant().orElseThrow().type().bytes()).sum();
  }

  @Test
  void withoutTheLibraryOtherKernelsServe() {
    ProcessorKernels kernels = ProcessorKernels.open(Wanted.ONEDNN, _ -> {
      throw new KernelProvider.Unavailable("it was removed");
    }, 1);
    assertThat(kernels.lack()).contains("oneDNN: it was removed");
    assertThat(kernels.description()).matches("vector.*, portable");
    var model = new LoadedModel(model(), OPTIONS, new HostBackend(1, new NettySubAllocator(), "as asked for", kernels));
    try {
      PlanCache.Entry planned = model.plans().take(InputBinding.ofShapes(model(), Map.of("x", Shape.of(1, CHANNELS, 12,
        12))), RunLimit.NONE).orElseThrow();
      assertThat(planned.executor().compiled().orElseThrow().kernels()).extracting(row -> row.twin()).doesNotContain(
        Twin.ONEDNN);
      model.plans().giveBack(planned);
    } finally {
      model.release();
    }
  }

  /** How much scratch memory oneDNN needs for smaller shapes is not known in advance. */
  @Test
  void plansForTheLargestShapesAreWithoutOneDnn() {
    oneDnn(1).close();
    try (Session session = Session.of(model(), OPTIONS.withLargestShapes(Map.of("x", Shape.of(4, CHANNELS, 12, 12))))) {
      assertThat(run(session, 2)).hasSize(2 * CHANNELS * 12 * 40);
      assertThat(session.compiled().orElseThrow().kernels()).extracting(row -> row.twin()).doesNotContain(Twin.ONEDNN);
    }
  }

  @Test
  void manySessionsLeaveNothingBehind() {
    oneDnn(1).close();
    float[] first = null;
    for (int round = 0; round < 8; round++) {
      try (Session session = session(Wanted.ONEDNN, 1 + round % 2)) {
        float[] result = run(session, 1);
        if (first == null) {
          first = result;
        }
        assertClose(result, first);
      }
    }
  }

  /** Resident memory, oneDNN's native memory included, stays level over 10,000 sessions. */
  @Test
  @Tag("soak")
  void tenThousandSessionsStayLevel() throws IOException {
    oneDnn(1).close();
    long early = 0;
    for (int round = 0; round < 10_000; round++) {
      try (Session session = session(Wanted.ONEDNN, 1 + round % 2)) {
        run(session, 1);
      }
      if (round == 2_000) {
        early = residentBytes();
      }
    }
    assertThat(residentBytes()).isLessThan(early + (32L << 20));
  }

  private static long residentBytes() throws IOException {
    System.gc();
    String line = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(it -> it.startsWith("VmRSS:"))
      .findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
  }
}
