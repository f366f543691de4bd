package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cached.CachedOp;
import dev.cairn.runtime.cached.CachedOpOptions;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays in a GPU's memory, on every engine. When a test has ended, no memory is in use on any device. */
@ParameterizedClass
@EnumSource(Kind.class)
@Tag("long")
class ArraysOnCudaTest {
  private static final String GPU = "cuda:0";

  /** Set for each class; the first value is for the checker of nulls. */
  @Parameter
  private Kind kind = Kind.NAIVE;

  private ArrayRuntime arrays;
  private ArrayScope scope;

  private ArrayOptions options() {
    return ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device(), DeviceOptions.CPU).withEngine(kind).withThreads(1)
      .withSeed(7);
  }

  @BeforeEach
  void open() {
    arrays = ArrayRuntime.open(options());
    scope = arrays.scope();
  }

  @AfterEach
  void close() {
    if (arrays != null) {
      scope.close();
      arrays.close();
      assertThat(arrays.stats().storages()).isZero();
      arrays.stats().devices().forEach((name, memory) -> assertThat(memory.bytesInUse()).as(name).isZero());
    }
  }

  private NDArray matrix() {
    return arrays.of(new float[] {1, 2, 3, 4}, 2, 2);
  }

  @Test
  void computesOnTheFirstDevice() {
    NDArray x = matrix();
    NDArray y = x.matmul(x.transpose()).add(1).relu();
    assertThat(arrays.deviceNames()).containsExactly(GPU, "cpu");
    assertThat(y.device()).isEqualTo(GPU);
    assertThat(y.toString()).isEqualTo("float32[2x2] cuda:0\n[[ 6 12]\n [12 26]]");
    assertThat(arrays.stats().callsOnHost()).isZero();
    assertThat(x.get("::-1").sum(1).toFloatArray()).containsExactly(7, 3);
    assertThat(arrays.arange(0, 4, 1, DType.INT64).device()).isEqualTo(GPU);
  }

  @Test
  void aLongChainHasTheProcessorsValues() {
    NDArray onGpu = matrix();
    NDArray onHost = onGpu.to("cpu");
    for (int i = 0; i < 200; i++) {
      onGpu = onGpu.matmul(onGpu).mul(0.1).tanh();
      onHost = onHost.matmul(onHost).mul(0.1).tanh();
    }
    assertThat(onHost.device()).isEqualTo("cpu");
    float[] wanted = onHost.toFloatArray();
    float[] given = onGpu.toFloatArray();
    for (int i = 0; i < 4; i++) {
      assertThat(given[i]).isCloseTo(wanted[i], within(1e-5f));
    }
  }

  @Test
  void operatorsWithoutAKernelRunOnTheProcessor() {
    NDArray x = arrays.of(new float[] {-1.5f, 0, 2.5f}, 3);
    NDArray sloped = x.apply("PRelu", Attributes.NONE, 1, List.of(x, x.scalar(2))).get(0);
    assertThat(sloped.device()).isEqualTo(GPU);
    assertThat(sloped.add(1).toFloatArray()).containsExactly(-2, 1, 3.5f);
    assertThat(arrays.stats().callsOnHost()).isEqualTo(1);
    NDArray places = x.apply("NonZero", Attributes.NONE, 1, List.of(x)).get(0);
    assertThat(places.device()).isEqualTo(GPU);
    assertThat(places.toLongArray()).containsExactly(0, 2);
  }

  @Test
  void operandsOfSeveralDevicesAreRefused() {
    NDArray x = matrix();
    NDArray y = x.to("cpu");
    assertThatThrownBy(() -> x.add(y)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Add")
      .hasMessageContaining(GPU).hasMessageContaining("cpu").hasMessageContaining("to(\"cuda:0\")");
    assertThatThrownBy(() -> x.addi(y)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> x.set(y.get("0"), Index.parse("0"))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("set");
    assertThatThrownBy(() -> x.to("cuda:7")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "cuda:7").hasMessageContaining("[cuda:0, cpu]");
    assertThat(x.toFloatArray()).containsExactly(1, 2, 3, 4);
    assertThat(x.to(GPU)).isSameAs(x);
  }

  @Test
  void copiesBetweenDevicesConvertAndOverwrite() {
    NDArray x = matrix();
    try (var _ = arrays.on("cpu")) {
      NDArray y = arrays.zeros(DType.INT32, 2, 2);
      assertThat(y.device()).isEqualTo("cpu");
      x.copyTo(y);
      assertThat(y.toIntArray()).containsExactly(1, 2, 3, 4);
      y.addi(arrays.full(10, DType.INT32, 2, 2));
      y.copyTo(x);
    }
    assertThat(x.toFloatArray()).containsExactly(11, 12, 13, 14);
    NDArray same = arrays.zeros(DType.FLOAT32, 2, 2);
    same.copyFrom(x);
    same.copyFrom(same);
    x.fill(0);
    assertThat(same.toFloatArray()).containsExactly(11, 12, 13, 14);
    assertThatThrownBy(() -> x.copyTo(arrays.zeros(DType.FLOAT32, 4))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void writesInPlaceAndThroughViews() {
    NDArray x = arrays.zeros(DType.FLOAT32, 3, 4);
    x.rows(1, 2).fill(1);
    x.set(2, Index.parse(":, 1"));
    x.set(arrays.of(new float[] {5, 6}, 2), Index.parse("2, 2:"));
    x.set(9, Index.parse("0, 0"));
    assertThat(x.toFloatArray()).containsExactly(9, 2, 0, 0, 1, 2, 1, 1, 0, 2, 5, 6);
    x.rows(0, 1).muli(x.rows(1, 2)).addi(1);
    x.write(segment -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, 11, 100));
    assertThat(x.toFloatArray()).containsExactly(10, 5, 1, 1, 1, 2, 1, 1, 0, 2, 5, 100);
    assertThat(arrays.call("double", List.of(x.rows(2, 3)), List.of(TensorType.of(DType.FLOAT32, 1, 4)), (given,
      made) -> {
      for (int i = 0; i < 4; i++) {
        made.get(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, 2 * (float) given.get(0).doubleAt(i));
      }
    }).get(0).add(1).toFloatArray()).containsExactly(1, 5, 11, 201);
  }

  @Test
  void aWriterThatThrowsLeavesNoValue() {
    NDArray x = matrix();
    assertThatThrownBy(() -> x.write(_ -> {
      throw new IllegalStateException("mine");
    })).hasMessage("mine");
    assertThatThrownBy(x::toFloatArray).isInstanceOf(OperationFailed.class);
    assertThat(x.fill(3).toFloatArray()).containsOnly(3);
  }

  /** The example of docs/arrays.md, with smaller arrays. */
  @Test
  void thePagesExampleRuns() {
    NDArray x = arrays.ones(DType.FLOAT32, 10, 10);
    NDArray y = x.matmul(x).add(1);
    NDArray z = y.to("cpu");
    try (var _ = arrays.on("cpu")) {
      z.addi(arrays.ones(DType.FLOAT32, 10, 10));
    }
    z.copyTo(x);
    assertThat(x.mean().item()).isEqualTo(12);
    assertThat(arrays.stats().callsOnHost()).isZero();
  }

  @Test
  void drawsTheProcessorsNumbers() {
    float[] onGpu = arrays.random().uniform(DType.FLOAT32, 100).toFloatArray();
    try (var host = ArrayRuntime.open(ArrayOptions.DEFAULT.withSeed(7)); var _ = host.scope()) {
      assertThat(host.random().uniform(DType.FLOAT32, 100).toFloatArray()).containsExactly(onGpu);
    }
  }

  @Test
  void gradientsFlowThroughCopiesBetweenDevices() {
    NDArray w = matrix().attachGradient();
    NDArray loss;
    try (var _ = Autograd.record()) {
      NDArray onHost = w.mul(w).to("cpu").mul(3);
      loss = onHost.to(GPU).add(w).sum();
    }
    loss.backward();
    assertThat(w.gradient().device()).isEqualTo(GPU);
    assertThat(w.gradient().toFloatArray()).containsExactly(7, 13, 19, 25);
  }

  @Test
  void cachedFunctionsRunWhereTheirOperandsLie() {
    NDArray w = arrays.full(0.5, DType.FLOAT32, 2, 2).attachGradient();
    try (var layer = CachedOp.of(in -> List.of(in.get(0).matmul(w).tanh().mul(2).add(1)), CachedOpOptions.DEFAULT)) {
      NDArray y;
      try (var _ = Autograd.record()) {
        y = layer.call(matrix()).get(0);
      }
      y.backward();
      assertThat(y.device()).isEqualTo(GPU);
      float[] planned = w.gradient().toFloatArray();
      w.zeroGradient();
      try (var _ = Autograd.record()) {
        y = matrix().matmul(w).tanh().mul(2).add(1);
      }
      y.backward();
      float[] direct = w.gradient().toFloatArray();
      for (int i = 0; i < 4; i++) {
        assertThat(planned[i]).isCloseTo(direct[i], within(1e-5f));
      }
      assertThatThrownBy(() -> layer.call(matrix().to("cpu"))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cached function").hasMessageContaining(GPU);
    }
  }

  @Test
  void aFailureOfTheDriverSurfacesWhereTheValueIsAskedFor() {
    Simulator simulator = CudaUnderTest.simulator();
    NDArray x = matrix();
    x.mul(x).waitToRead();
    simulator.fail("cuLaunchKernel", 1, 719);
    NDArray failed;
    try {
      failed = x.mul(x);
      NDArray after = failed.add(1);
      NDArray there = x.to("cpu");
      assertThatThrownBy(after::toFloatArray).isInstanceOf(OperationFailed.class);
      assertThatThrownBy(failed::toFloatArray).isInstanceOf(OperationFailed.class);
      assertThat(failed.toString()).startsWith("float32[2x2] cuda:0 failed");
      assertThat(there.toFloatArray()).containsExactly(1, 2, 3, 4);
      failed.fill(3);
      assertThat(failed.toFloatArray()).containsOnly(3);
    } catch (OperationFailed thrownInTheCall) {
      assertThat(kind).isEqualTo(Kind.NAIVE);
    } finally {
      simulator.clear("cuLaunchKernel");
    }
  }

  @Test
  void outOfMemoryNamesTheArraysOfTheDevice() {
    ArrayOptions small = options().withMemory(ArrayMemory.DEFAULT.withLimitBytes(6L << 20));
    try (var tight = ArrayRuntime.open(small); var _ = tight.scope()) {
      NDArray large = tight.ones(DType.FLOAT32, 700_000);
      large.waitToRead();
      try (var _ = tight.scope()) {
        assertThatThrownBy(() -> large.add(1).waitToRead()).hasStackTraceContaining("arrays hold")
          .hasStackTraceContaining("Expand float32[700000]").satisfies(it -> assertThat(it).hasRootCauseInstanceOf(
            OutOfMemory.class));
      }
      assertThat(tight.ones(DType.FLOAT32, 1000).sum().item()).isEqualTo(1000);
      for (int i = 0; i < 100; i++) {
        try (NDArray some = tight.ones(DType.FLOAT32, 100_000)) {
          some.addi(1).waitToRead();
        }
      }
      tight.waitAll();
      large.close();
      assertThat(tight.ones(DType.FLOAT32, 700_000).get("-1").item()).isEqualTo(1);
    }
  }

  /** The copies of the scalars leave holes of nearly two arrays, of which a limit lets none be given away whole. */
  @Test
  void closedArraysMakeRoomBesideSmallOnes() {
    int elements = 1 << 16;
    ArrayOptions small = options().withMemory(ArrayMemory.DEFAULT.withLimitBytes(6L * Float.BYTES * elements));
    try (var tight = ArrayRuntime.open(small); var _ = tight.scope()) {
      NDArray x = tight.ones(DType.FLOAT32, elements);
      for (int i = 0; i < 100; i++) {
        try (var _ = tight.scope()) {
          NDArray b = x.add(i);
          assertThat(b.exp().device()).isEqualTo(b.mul(2).device());
        }
      }
      tight.waitAll();
      assertThat(x.sum().item()).isEqualTo(elements);
    }
  }
}
