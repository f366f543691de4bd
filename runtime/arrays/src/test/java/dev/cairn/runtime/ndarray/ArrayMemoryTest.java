package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the allocator of arrays behaves under each of the options, and what it shares. */
class ArrayMemoryTest {
  private static final long BLOCK = 1L << 18;

  private static ArrayRuntime open(ArrayMemory memory) {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(Kind.NAIVE).withThreads(1).withMemory(memory));
  }

  private static NDArray block(ArrayRuntime arrays) {
    return arrays.ones(DType.UINT8, BLOCK);
  }

  /** What the pool holds of the system while an array is open, and afterwards. */
  private static List<Long> held(ArrayMemory memory) {
    try (ArrayRuntime arrays = open(memory)) {
      assertThat(arrays.stats().manager()).isEqualTo(memory);
      List<Long> held = new ArrayList<>();
      try (NDArray x = arrays.of(new float[1025], 1025)) {
        x.waitToRead();
        held.add(arrays.stats().memory().poolBytes());
      }
      held.add(arrays.stats().memory().poolBytes());
      return held;
    }
  }

  @Test
  void thePoolKeepsMemoryAndTheOthersAskTheSystemEachTime() {
    assertThat(held(ArrayMemory.DEFAULT.withKind(ArrayMemory.Kind.NAIVE))).containsExactly(4352L, 0L);
    assertThat(held(ArrayMemory.DEFAULT.withKind(ArrayMemory.Kind.UNPOOLED).withRounding(Rounding.multipleOf(1024))))
      .containsExactly(5120L, 0L);
    assertThat(held(ArrayMemory.DEFAULT)).containsExactly(2L << 20, 2L << 20);
  }

  @Test
  void theReserveIsAPartOfTheLimit() {
    ArrayMemory half = ArrayMemory.DEFAULT.withLimitBytes(4 * BLOCK).withReservePercent(50);
    try (ArrayRuntime arrays = open(half); NDArray _ = block(arrays); NDArray _ = block(arrays)) {
      assertThatThrownBy(() -> block(arrays)).hasMessageContaining("limitBytes=" + 2 * BLOCK);
    }
    FakeSubAllocator gpu = FakeSubAllocator.scattered(1000 * BLOCK);
    assertThat(ArrayMemory.DEFAULT.withReservePercent(5).usableBytes(gpu)).isLessThan(gpu.maximumRegionBytes());
    assertThat(ArrayMemory.DEFAULT.withReservePercent(5).usableBytes(new NettySubAllocator())).as(
      "nothing says how much memory the host has").isEqualTo(Long.MAX_VALUE);
    assertThat(half.withLimitBytes(19).withReservePercent(5).usableBytes(gpu)).isEqualTo(18);
    assertThatIllegalArgumentException().isThrownBy(() -> half.withReservePercent(101));
  }

  @Test
  void runtimesOfOneBudgetGetEachOthersIdleMemory() {
    MemoryBudget budget = MemoryBudget.of(16 * BLOCK);
    ArrayMemory memory = ArrayMemory.DEFAULT.withBudget(budget);
    try (ArrayRuntime first = open(memory); ArrayRuntime second = open(memory)) {
      List<NDArray> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        all.add(block(first));
      }
      assertThat(budget.bytesInUse()).isEqualTo(first.stats().memory().poolBytes()).isLessThanOrEqualTo(16 * BLOCK);
      assertThatThrownBy(() -> {
        for (int i = 0; i < 12; i++) {
          all.add(block(second));
        }
      }).hasMessageContaining("budget: limitBytes=" + 16 * BLOCK);
      all.forEach(NDArray::close);
      all.clear();
      for (int i = 0; i < 12; i++) {
        all.add(block(second));
      }
      all.forEach(NDArray::close);
      Session session = session(budget);
      try (session; var result = session.run(Map.of("x", Tensor.of(new float[(int) BLOCK], BLOCK)))) {
        assertThat(result.names()).containsExactly("y");
      }
    }
    assertThat(budget.bytesInUse()).isZero();
  }

  /** A session whose result has four blocks; the pools that lie idle leave no room for them. */
  private static Session session(MemoryBudget budget) {
    var graph = new GraphBuilder("relu");
    graph.output("y", graph.apply("Relu", graph.input("x", TensorType.of(DType.FLOAT32, BLOCK))));
    return Session.of(graph.build(), SessionOptions.DEFAULT.withThreads(1).withMemory(MemoryOptions.DEFAULT.withBudget(
      budget)));
  }
}
