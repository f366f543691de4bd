package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** I-5 on a GPU: elementwise calls of a bulk are one launch. */
@ParameterizedClass
@EnumSource(Kind.class)
class FusedBulkOnCudaTest {
  private static final int SIDE = 128;
  private static final long BYTES = 4L * SIDE * SIDE;

  /** Set for each class; the first value is for the checker of nulls. */
  @Parameter
  private Kind kind = Kind.NAIVE;

  private ArrayRuntime arrays;
  private ArrayScope scope;
  private NDArray x;

  @BeforeEach
  void open() {
    arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device(), DeviceOptions.CPU).withEngine(
      kind).withThreads(1).withSeed(7));
    scope = arrays.scope();
    x = arrays.random().normal(DType.FLOAT32, SIDE, SIDE);
    x.waitToRead();
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

  private boolean isNaive() {
    return kind == Kind.NAIVE;
  }

  /** Seven calls, of whose values only the last stays. */
  private NDArray chain(int bulk) {
    try (Engine.Bulk _ = arrays.bulk(bulk); ArrayScope own = arrays.scope()) {
      return own.release(x.mul(2).add(1).tanh().sub(x).abs().add(x.rows(3, 4)).mul(3));
    }
  }

  @Test
  void aChainHasTheBitsOfItsCallsAndTemporariesTakeNoMemory() {
    long before = arrays.stats().memory().peakBytesInUse();
    NDArray fused = chain(15);
    fused.waitToRead();
    if (!isNaive()) {
      assertThat(arrays.stats().memory().peakBytesInUse() - before).isLessThan(2 * BYTES);
      assertThat(arrays.stats().fusedCalls()).isEqualTo(7);
    }
    NDArray single = chain(0);
    assertThat(fused.toFloatArray()).isEqualTo(single.toFloatArray());
    fused.close();
    single.close();
  }

  @Test
  void anOperandIsReadBeforeItIsOverwritten() {
    float[] before = x.toFloatArray();
    NDArray y;
    try (Engine.Bulk _ = arrays.bulk(15)) {
      y = x.mul(3).add(x);
      x.addi(1);
      x.muli(y);
      y.subi(x);
    }
    float[] changed = x.toFloatArray();
    float[] rest = y.toFloatArray();
    for (int i = 0; i < before.length; i += 97) {
      float product = before[i] * 3 + before[i];
      assertThat(changed[i]).isEqualTo((before[i] + 1) * product);
      assertThat(rest[i]).isEqualTo(product - changed[i]);
    }
  }

  @Test
  void onlyWhatDependsOnAFailureFails() {
    if (isNaive()) {
      return;
    }
    NDArray failed = arrays.call("planted", List.of(), List.of(x.type()), (_, _) -> {
      throw new IllegalStateException("on purpose");
    }).get(0);
    NDArray good;
    NDArray bad;
    try (Engine.Bulk _ = arrays.bulk(15)) {
      good = x.mul(0).add(2);
      bad = good.add(failed);
      good.addi(1);
    }
    assertThat(catchThrowableOfType(OperationFailed.class, bad::toFloatArray).operation()).isEqualTo("planted");
    assertThat(good.toFloatArray()).contains(3).doesNotContain(2);
    arrays.waitAll();
  }
}
