package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a session does with each of its options of memory; {@link RedZonesTest} has the red zones. */
class MemoryOptionsTest {
  private static final long MIB = 1 << 20;
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1)
    .withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF).withInPlace(false));

  private final WatchedSource source = new WatchedSource();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = tanh(x + w) for x of [batch, 2], the batch open: for a batch of 100, a plan and a result of 1 KiB each. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(2)));
    NodeEntry x = builder.input("x", type);
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2), 1, -1));
    builder.output("y", builder.apply("Tanh", builder.apply("Add", x, w)));
    return builder.build();
  }

  private static Map<String, Tensor> batch(int items) {
    return Map.of("x", Tensor.of(new float[items * 2], items, 2));
  }

  private Session session(MemoryOptions memory) {
    return Session.of(model(), OPTIONS.withMemory(memory), source);
  }

  /** Weights and plans have regions of their own; the pool of results takes the options. */
  @Test
  void thePoolsOwnOptionsDecideItsRegions() {
    BfcOptions pool = BfcOptions.DEFAULT.withFirstRegionBytes(4096).withMaximumStepBytes(4096);
    try (var session = session(MemoryOptions.DEFAULT.withPool(pool))) {
      try (Result first = session.run(batch(100)); Result second = session.run(batch(100))) {
        assertThat(first.get("y").toFloatArray()).isEqualTo(second.get("y").toFloatArray());
        assertThat(session.memoryStats().poolBytes()).as("weights, a plan, and one region of 4 KiB for both results")
          .isEqualTo(256 + 1024 + 4096);
      }
    }
    for (MemoryOptions refused : List.of(MemoryOptions.DEFAULT.withPool(pool.withLimitBytes(MIB)), MemoryOptions.DEFAULT
      .withPool(pool).withGrowth(MemoryGrowth.DOUBLING),
      MemoryOptions.DEFAULT.withPool(pool).withCollection(
        Collection.NEVER))) {
      assertThatIllegalArgumentException().isThrownBy(() -> session(refused));
    }
  }

  @Test
  void theRegionOfAClosedResultStaysUnlessItIsTrimmed() throws InterruptedException {
    try (var session = session(MemoryOptions.DEFAULT)) {
      session.run(batch(100)).close();
      assertThat(session.memoryStats().poolBytes()).isEqualTo(256 + 1024 + 1024);
    }
    try (var session = session(MemoryOptions.DEFAULT.withTrim(TrimSchedule.afterIdle(Duration.ofMillis(2))))) {
      for (int run = 0; run < 3; run++) {
        try (Result held = session.run(batch(100))) {
          assertThat(held.get("y").toFloatArray()).hasSize(200);
          session.run(batch(100)).close();
        }
        source.awaitHeldBytes(256 + 1024);
      }
    }
  }

  @Test
  void theWholeLimitIsOneRegionOfAllBlocks() {
    MemoryOptions whole = MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.WHOLE).withLimitBytes(MIB);
    try (var session = session(whole); Result result = session.run(batch(100))) {
      assertThat(session.memoryStats().poolBytes()).isEqualTo(MIB);
      assertThat(session.memoryStats().regions().peak()).isEqualTo(1);
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(256 + 1024 + 1024);
      assertThat(source.heldBytes()).isEqualTo(MIB);
      assertThat(result.get("y").toFloatArray()[0]).isEqualTo((float) Math.tanh(1), within());
    }
    try (var session = session(whole.withLimitBytes(256 + 1024 + 1024))) {
      session.run(batch(100)).close();
    }
  }

  private static Offset<Float> within() {
    return Offset.offset(1e-6f);
  }

  @Test
  void aPoolThatDoublesBeginsWithTwoMebibytes() {
    try (var session = session(MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.DOUBLING))) {
      session.run(batch(100)).close();
      assertThat(session.memoryStats().poolBytes()).isEqualTo(256 + 1024 + 2 * MIB);
    }
  }

  @Test
  void idleRegionsGoBeforeThePoolGrowsOrStay() {
    MemoryOptions limited = MemoryOptions.DEFAULT.withLimitBytes(MIB);
    for (Collection when : new Collection[] {Collection.BEFORE_GROWTH, Collection.NEVER}) {
      try (var session = session(limited.withCollection(when))) {
        session.run(batch(100)).close();
        session.run(batch(200)).close();
        // The weights, two plans and the last result, and perhaps the first result's region.
        long needed = 256 + 1024 + 1792 + 1792;
        assertThat(session.memoryStats().poolBytes()).isEqualTo(when == Collection.NEVER ? needed + 1024 : needed);
      }
    }
  }

  @Test
  void optionsThatContradictEachOtherOrTheDeviceAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryOptions.DEFAULT.withLimitBytes(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryOptions.DEFAULT.withGuardBytes(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> session(MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.WHOLE)))
      .withMessageContaining("needs a memory limit");
    assertThatIllegalArgumentException().isThrownBy(() -> session(MemoryOptions.DEFAULT.withGuardBytes(1)
      .withLimitBytes(MIB))).withMessageContaining("red zones");
    MemoryOptions virtual = MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.VIRTUAL);
    assertThatIllegalArgumentException().isThrownBy(() -> session(virtual)).withMessageContaining("on a GPU only");
    assertThatIllegalArgumentException().isThrownBy(() -> Session.of(model(), OPTIONS.withMemory(virtual).withDevice(
      DeviceOptions.CPU.withKernels(ProcessorKernels.Wanted.PORTABLE)), source)).withMessageContaining("on a GPU only");
    assertThatIllegalArgumentException().isThrownBy(() -> MemoryGrowth.of("sideways")).withMessageContaining(
      "[as-requested, doubling, whole, virtual]");
  }
}
