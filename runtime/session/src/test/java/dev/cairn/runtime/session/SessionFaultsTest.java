package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.FaultInTurn;
import dev.cairn.testing.OwnThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each request of a session to the source of its memory fails once: while it opens, runs and closes. The call fails or
 * does without, the same call works when it is made again, and everything is given back when the session is closed.
 */
class SessionFaultsTest {
  private static final int WIDTH = 64;
  /** More than a plan holds for fewer rows. */
  private static final int[] BATCHES = {3, 200, 3};

  private enum Kind {
    /** The source gives no region. */
    REFUSED,
    /** The source throws in place of giving a region. */
    THROWN,
    /** The source does not take a region back. */
    KEPT
  }

  private enum Model {
    PLANNED,
    STREAMS,
    IN_PARTS,
    ASSIGNING,
    LARGEST,
    GUARDED,
    TRIMMED;

    /** A model of x, with the rows of x open. */
    Graph graph() {
      var builder = new GraphBuilder(name());
      NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
        new Dimension.Fixed(WIDTH))));
      float[] weights = new float[WIDTH * WIDTH];
      for (int i = 0; i < weights.length; i++) {
        weights[i] = (float) Math.sin(i) / 8;
      }
      NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(WIDTH, WIDTH), weights));
      NodeEntry left = builder.apply("Tanh", builder.apply("MatMul", x, w));
      NodeEntry right = builder.apply("Sin", builder.apply("MatMul", builder.apply("Neg", x), w));
      builder.output("y", builder.apply("Add", left, right));
      if (this == IN_PARTS) {
        builder.output("found", builder.apply("NonZero", builder.apply("Relu", left)));
      }
      if (this == ASSIGNING) {
        NodeEntry count = builder.variable("count", TensorView.ofFloats(Shape.of(1), 0));
        builder.output("next", builder.assign(count, builder.apply("Add", count, builder.constant("one", TensorView
          .ofFloats(Shape.of(1), 1)))));
      }
      return builder.build();
    }

    SessionOptions options() {
      SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withStreams(this == STREAMS ? 2 : 1).withMaxPlans(
        1);
      return switch (this) {
        case LARGEST -> options.withLargestShapes(Map.of("x", Shape.of(256, WIDTH)));
        case GUARDED -> options.withMemory(MemoryOptions.DEFAULT.withGuardBytes(256));
        case TRIMMED -> options.withMemory(MemoryOptions.DEFAULT.withTrim(TrimSchedule.afterIdle(Duration.ofHours(1))));
        default -> options;
      };
    }
  }

  /** A source of which one call fails. */
  private static final class Source implements SubAllocator {
    private final NettySubAllocator upstream = new NettySubAllocator();
    private final Kind kind;
    private final FaultInTurn fault;
    /** Of the region that was not taken back. */
    private long keptBytes;

    Source(Kind kind, FaultInTurn fault) {
      this.kind = kind;
      this.fault = fault;
    }

    @Override
    public MemorySpace space() {
      return upstream.space();
    }

    @Override
    public long maximumRegionBytes() {
      return upstream.maximumRegionBytes();
    }

    @Override
    public boolean supportsCoalescing() {
      return upstream.supportsCoalescing();
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      if (kind == Kind.THROWN) {
        fault.pass();
      }
      return kind == Kind.REFUSED && fault.isNow() ? null : upstream.allocate(bytes);
    }

    @Override
    public void release(Region region) {
      if (kind == Kind.KEPT && fault.isNow()) {
        keptBytes = region.bytes();
        throw new IllegalStateException(FaultInTurn.PLANTED);
      }
      upstream.release(region);
    }
  }

  static List<Object[]> cases() {
    List<Object[]> cases = new ArrayList<>();
    for (Model model : Model.values()) {
      for (Kind kind : Kind.values()) {
        cases.add(new Object[] {model, kind});
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachCallOfTheSourceFailsOnce(Model model, Kind kind) {
    int faults = FaultInTurn.sweep(fault -> program(model, kind, fault));
    assertThat(faults).isGreaterThan(1);
  }

  private static void program(Model model, Kind kind, FaultInTurn fault) {
    var source = new Source(kind, fault);
    OwnThreads threads = OwnThreads.before();
    Session session = fault.survived(() -> opened(model, source));
    boolean isClosedWell = false;
    try {
      for (int batch : BATCHES) {
        fault.survived(() -> run(session, batch));
      }
      fault.survived(() -> runLater(session));
      fault.survived(() -> session.newInput(DType.FLOAT32, 1 << 16).close());
      if (model != Model.GUARDED) {
        fault.survived(() -> session.compact());
      }
      if (model == Model.ASSIGNING) {
        fault.survived(() -> assertThat(session.variable("count").toFloatArray()[0]).isGreaterThanOrEqualTo(
          BATCHES.length));
      }
      assertThat(session.memoryStats().bytesInUse()).isPositive();
    } finally {
      isClosedWell = closes(session);
    }
    threads.awaitEndOfLaterOnes();
    assertThat(source.upstream.heldBytes()).isIn(0L, isClosedWell ? 0L : source.keptBytes);
    assertThatThrownBy(session::memoryStats).isInstanceOf(IllegalStateException.class).hasMessageContaining(
      "already closed");
  }

  private static Session opened(Model model, Source source) {
    long before = source.upstream.heldBytes();
    try {
      return Session.of(model.graph(), model.options(), source);
    } catch (RuntimeException | Error e) {
      assertThat(source.upstream.heldBytes()).as("after a failed open").isIn(before, before + source.keptBytes);
      throw e;
    }
  }

  private static boolean closes(Session session) {
    try {
      session.close();
      return true;
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("not all of its memory could be given back");
      return false;
    }
  }

  private static Tensor input(int batch) {
    float[] values = new float[batch * WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.cos(i);
    }
    return Tensor.of(values, batch, WIDTH);
  }

  private static void run(Session session, int batch) {
    try (Tensor x = input(batch); Result result = session.run(Map.of("x", x))) {
      check(result, batch);
    }
  }

  private static void runLater(Session session) {
    try (Tensor x = input(4)) {
      try (Result result = session.runAsync(Map.of("x", x)).join()) {
        check(result, 4);
      }
    }
  }

  private static void check(Result result, int batch) {
    float[] y = result.get("y").toFloatArray();
    assertThat(y).hasSize(batch * WIDTH);
    double product = 0;
    for (int i = 0; i < WIDTH; i++) {
      product += (float) Math.cos((batch - 1) * WIDTH + i) * (float) (Math.sin(i * WIDTH + WIDTH - 1) / 8);
    }
    assertThat((double) y[y.length - 1]).isCloseTo(Math.tanh(product) + Math.sin(-product), within(1e-4));
  }
}
