package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.MemoryGrowth;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.RunOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Sessions whose memory is mapped into one range of addresses, by the calls of the driver that they make. */
class VirtualMemoryTest {
  private static final MemoryOptions VIRTUAL = MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.VIRTUAL);

  private static SessionOptions cuda(MemoryOptions memory) {
    return SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device()).withMemory(memory);
  }

  /** y = tanh(x + w) for x of [batch, 1000], the batch open. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(1000)));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(1), 1));
    builder.output("y", builder.apply("Tanh", builder.apply("Add", builder.input("x", type), w)));
    return builder.build();
  }

  private static Result run(Session session, int batch, RunOptions how) {
    try (Tensor x = Tensor.of(new float[batch * 1000], batch, 1000)) {
      return session.run(Map.of("x", x), how);
    }
  }

  @Test
  void allMemoryOfTheDeviceIsMappedIntoOneRange() {
    Simulator simulator = CudaUnderTest.simulator();
    long none = simulator.calls("cuMemAlloc");
    try (var session = Session.of(model(), cuda(MemoryOptions.DEFAULT))) {
      run(session, 1, RunOptions.DEFAULT).close();
    }
    long plain = simulator.calls("cuMemAlloc");
    assertThat(plain).isGreaterThan(none);
    long ranges = simulator.calls("cuMemAddressReserve");
    long mapped = simulator.calls("cuMemMap");
    long unmapped = simulator.calls("cuMemUnmap");
    try (var session = Session.of(model(), cuda(VIRTUAL))) {
      for (int batch = 1; batch <= 3000; batch = batch * 3 + 1) {
        try (Result kept = run(session, batch, RunOptions.DEFAULT.withResultsOnDevice());
          Result next = run(session,
            batch, RunOptions.DEFAULT)) {
          assertThat(kept.get("y").toFloatArray()).hasSize(batch * 1000).containsOnly(next.get("y")
            .toFloatArray()[0]);
          assertThat(next.get("y").toFloatArray()[0]).isBetween(0.7615f, 0.7616f);
        }
      }
      assertThat(simulator.calls("cuMemAlloc")).isEqualTo(plain);
      assertThat(simulator.calls("cuMemAddressReserve")).isEqualTo(ranges + 1);
      assertThat(simulator.calls("cuMemMap")).isGreaterThan(mapped);
    }
    assertThat(simulator.calls("cuMemUnmap") - unmapped).as("all that was mapped is unmapped").isEqualTo(simulator
      .calls("cuMemMap") - mapped);
  }

  @Test
  void idleMemoryIsUnmapped() {
    TrimSchedule soon = TrimSchedule.afterIdle(Duration.ofMillis(2));
    try (var session = Session.of(model(), cuda(VIRTUAL.withTrim(soon)))) {
      run(session, 100, RunOptions.DEFAULT.withResultsOnDevice()).close();
      while (session.memoryStats().poolBytes() > session.memoryStats().bytesInUse()) {
        LockSupport.parkNanos(100_000); // waits for a thread of the session, which trims
      }
      run(session, 100, RunOptions.DEFAULT).close();
    }
  }

  @Test
  void redZonesAreForTheProcessor() {
    SessionOptions guarded = cuda(MemoryOptions.DEFAULT.withGuardBytes(256));
    assertThatIllegalArgumentException().isThrownBy(() -> Session.of(model(), guarded)).withMessageContaining(
      "red zones work on the processor only");
  }
}
