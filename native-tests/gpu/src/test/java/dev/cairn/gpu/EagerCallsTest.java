package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a call of an operator on a GPU's arrays asks of the driver when equal calls came before. */
class EagerCallsTest {
  private static final int ROUNDS = 50;

  /** What the engine asks to keep the order of streams and to learn of their ends. */
  private static final Set<String> OF_ENGINE = Set.of("cuCtxSetCurrent", "cuCtxGetCurrent", "cuEventCreate",
    "cuEventRecord", "cuEventQuery", "cuStreamCreate");

  private final OperatorRegistry operators = OperatorRegistry.of(KernelOperator.of("my::Copy", 1, context -> List.of(
    context.input(0))).withKernel(call -> call.output(0).segment().copyFrom(call.input(0).segment())));

  /** With one worker for the GPU, hence one stream: which of two took a call would be luck. */
  private ArrayRuntime open() {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device()).withThreads(1).withEngine(
      EngineOptions.DEFAULT.withThreads(new EngineOptions.Threads(1, 4, 1, 1, 1))).withOperators(operators));
  }

  /** How often each function of the driver is called by so many equal calls, each of which ends before the next. */
  private static Map<String, Long> calls(Supplier<NDArray> call) {
    Simulator simulator = CudaUnderTest.simulator();
    run(call, 3);
    Map<String, Long> before = new TreeMap<>();
    DriverFunctions.called().forEach(it -> before.put(it, simulator.calls(it)));
    run(call, ROUNDS);
    Map<String, Long> made = new TreeMap<>();
    before.forEach((name, count) -> {
      long more = simulator.calls(name) - count;
      if (more > 0 && !OF_ENGINE.contains(name)) {
        made.put(name, more);
      }
    });
    return made;
  }

  private static void run(Supplier<NDArray> call, int times) {
    for (int i = 0; i < times; i++) {
      try (NDArray result = call.get()) {
        result.waitToRead();
      }
    }
  }

  @Test
  void anOperatorLaunchesItsKernelAndNothingElse() {
    try (ArrayRuntime arrays = open(); var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 4, 8);
      assertThat(calls(() -> x.add(x))).containsExactlyEntriesOf(Map.of("cuLaunchKernel", (long) ROUNDS));
      assertThat(calls(() -> x.add(1))).containsExactlyEntriesOf(Map.of("cuLaunchKernel", (long) ROUNDS));
      assertThat(calls(() -> x.softmax(1))).containsOnlyKeys("cuLaunchKernel");
    }
  }

  /** A product takes temporary memory once for all calls on a stream. */
  @Test
  void productsShareOneWorkspace() {
    try (ArrayRuntime arrays = open(); var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 64, 64);
      assertThat(calls(() -> x.matmul(x))).doesNotContainKeys("cuMemAlloc", "cuMemFree", "cuModuleGetFunction");
      long before = arrays.stats().memory().allocationCount();
      run(() -> x.matmul(x), ROUNDS);
      assertThat(arrays.stats().memory().allocationCount() - before).as("results").isEqualTo(ROUNDS);
    }
  }

  @Test
  void anOperatorInJavaKeepsItsPageLockedMemory() {
    try (ArrayRuntime arrays = open(); var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 4, 8);
      assertThat(calls(() -> x.call("my::Copy", Attributes.NONE))).doesNotContainKeys("cuMemHostAlloc",
        "cuMemAllocHost", "cuMemFreeHost").containsKey("cuMemcpyDtoHAsync");
    }
  }
}
