package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.layer.Damage;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.HostBackend;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunScope;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that write where they should not, and a session with red zones. */
class RedZonesTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1)
    .withMemory(MemoryOptions.DEFAULT.withGuardBytes(1000))
    .withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF).withInPlace(false));
  private static final Map<String, Tensor> INPUTS = Map.of("x", Tensor.of(new float[] {1, 2}, 2));

  /** y = tanh(x + w): the sum lies in the plan's pool, y in the result. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2), 1, -1));
    builder.output("y", builder.apply("Tanh", builder.apply("Add", x, w)));
    return builder.build();
  }

  /** The processor, with one operator's kernels also writing a byte somewhere relative to their result. */
  private record FaultyBackend(HostBackend host, String operator, long offset) implements Backend {
    @Override
    public KernelCatalog catalog() {
      return faulty(host.catalog());
    }

    @Override
    public KernelCatalog catalog(OperatorRegistry operators) {
      return faulty(host.catalog(operators));
    }

    private KernelCatalog faulty(KernelCatalog whole) {
      return new KernelCatalog(whole.operators().stream().flatMap(it -> whole.rows(it).stream()).map(
        it -> it.operator().equals(operator) ? faulty(it) : it).toList());
    }

    @Override
    public KernelCatalog hostCatalog() {
      return host.hostCatalog();
    }

    @Override
    public String kernels() {
      return host.kernels();
    }

    private KernelRow faulty(KernelRow row) {
      Kernel kernel = call -> {
        row.kernel().run(call);
        MemorySegment.ofAddress(call.output(0).segment().address() + offset).reinterpret(1).set(ValueLayout.JAVA_BYTE,
          0, (byte) 7);
      };
      return new KernelRow(row.operator(), row.twin(), row.decides(), row.dtypes(), kernel);
    }

    @Override
    public RunTarget target() {
      return host.target();
    }

    @Override
    public SubAllocator memory() {
      return host.memory();
    }

    @Override
    public PinnedSubAllocator newPageLockedMemory() {
      return host.newPageLockedMemory();
    }

    @Override
    public String reason() {
      return host.reason();
    }

    @Override
    public void close() {
      host.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"Add, -1, plan/pool0", "Add, -1000, plan/pool0", "Tanh, 8, result/y", "Tanh, 1031, result/y",
    "Tanh, -1, result/y"})
  void aWriteOutsideABlockFailsTheRunAndNamesTheStepAndTheOwner(String operator, long offset, String owner) {
    var source = new NettySubAllocator();
    Graph graph = model();
    var model = new LoadedModel(graph, OPTIONS,
      new FaultyBackend(new HostBackend(1, source, "as asked for", Backends.processorKernels(OPTIONS.device(), 1)),
        operator,
        offset));
    try {
      model.prepare();
      for (int run = 0; run < 2; run++) {
        MemoryDamaged failure = catchThrowableOfType(MemoryDamaged.class,
          () -> runOnce(model, graph));
        assertThat(failure.damages()).extracting(it -> it.owner().label()).containsExactly(owner);
        assertThat(failure.node()).isEqualTo(nodeOf(graph, operator));
        assertThat(failure.damages()).extracting(Damage::offset).containsExactly(offset);
      }
    } finally {
      model.release();
    }
    assertThat(source.heldBytes()).isZero();
  }

  private static void runOnce(LoadedModel model, Graph graph) {
    RunScope scope = RunScope.begin(model);
    try {
      new ModelRun(RandomRuns.of(graph, Optional.empty()), model, RunOptions.DEFAULT, RunLimit.NONE, scope).run(INPUTS)
        .close();
    } finally {
      scope.end();
    }
  }

  private static String nodeOf(Graph graph, String operator) {
    return graph.nodes().stream().filter(it -> it.operator().equals(operator)).findFirst().orElseThrow().name();
  }

  @Test
  void kernelsThatStayInsideRunAsBeforeBetweenZonesOfTheLengthAskedFor() {
    var source = new NettySubAllocator();
    try (var session = Session.of(model(), OPTIONS, source); var result = session.run(INPUTS)) {
      assertThat(result.get("y").toFloatArray()).containsExactly(new float[] {0.9640276f,
        0.7615942f}, Offset.offset(1e-6f));
      assertThat(session.memoryStats().liveCount()).isEqualTo(3);
      assertThat(source.heldBytes()).as("weights, plan, result, each with two zones of 1024").isEqualTo(3 * (1024 + 256
        + 1024));
    }
    assertThat(source.heldBytes()).isZero();
  }
}
