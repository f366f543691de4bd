package dev.cairn.kernels.cpu;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HalfStorageTest {

  /** Doubles its first input, fills its workspace, and remembers what it was given. */
  private static final class Doubling implements Kernel {
    private final List<DType> seen = new ArrayList<>();

    @Override
    public long workspaceBytes(KernelSignature signature) {
      return 40;
    }

    @Override
    public boolean accepts(KernelSignature signature) {
      return signature.input(0).dtype() == FLOAT32;
    }

    @Override
    public void run(KernelCall call) {
      for (int i = 0; i < call.inputCount(); i++) {
        if (call.has(i)) {
          seen.add(call.input(i).dtype());
        }
      }
      assertThat(call.workspace().byteSize()).isGreaterThanOrEqualTo(40);
      assertThat(call.workspace().address() % 64).isZero();
      call.workspace().fill((byte) 7);
      for (long i = 0; i < call.output(0).elementCount(); i++) {
        float x = call.input(0).segment().get(ValueLayout.JAVA_FLOAT, i * 4);
        call.output(0).segment().set(ValueLayout.JAVA_FLOAT, i * 4, 2 * x);
      }
      if (call.outputCount() > 1) {
        call.output(1).segment().fill((byte) 1);
      }
    }
  }

  private static KernelRow row(Kernel kernel) {
    return new KernelRow("Double", KernelRow.Twin.VECTOR, KernelRow.Decides.FIRST_INPUT, EnumSet.of(FLOAT16, BFLOAT16),
      new HalfStorage(kernel));
  }

  private static List<TensorView> run(Kernel kernel, List<TensorType> outputs, @Nullable TensorView... inputs) {
    try (var runner = new KernelRunner(List.of(row(kernel)), 3)) {
      return runner.runAll("Double", Attributes.NONE, outputs, inputs);
    }
  }

  @Test
  void halvesAreWidenedAndOthersPassThrough() {
    var kernel = new Doubling();
    var x = TestTensors.of(FLOAT16, Shape.of(3), 1.5, -0.25, 65504);
    var results = run(kernel, List.of(TensorType.of(FLOAT16, 3), TensorType.of(INT64, 2)), x,
      TestTensors.int64s(1, 2, 3), null, TestTensors.of(BFLOAT16, Shape.of(1), 3),
      TestTensors.of(FLOAT32, Shape.of(1), 3));
    assertThat(TestTensors.doubles(results.get(0))).containsExactly(3, -0.5, Double.POSITIVE_INFINITY);
    assertThat(results.get(1).longAt(1)).isEqualTo(0x0101010101010101L);
    assertThat(kernel.seen).containsExactly(FLOAT32, INT64, FLOAT32, FLOAT32);
  }

  @Test
  void largeTensorsOnSeveralThreads() {
    for (DType half : List.of(FLOAT16, BFLOAT16)) {
      long count = 100_003;
      var x = TestTensors.zeros(TensorType.of(half, count));
      for (long i = 0; i < count; i++) {
        TestTensors.set(x, i, (double) (i % 256));
      }
      var y = run(new Doubling(), List.of(TensorType.of(half, count)), x).getFirst();
      for (long i = 0; i < count; i++) {
        assertThat(y.doubleAt(i)).isEqualTo((double) (2 * (i % 256)));
      }
    }
  }

  @Test
  void upstreamIsAskedAboutFloat32() {
    var signature = KernelSignature.of(List.of(TensorType.of(FLOAT16, 1)), List.of(), Attributes.NONE);
    assertThat(new HalfStorage(new Doubling()).accepts(signature)).isTrue();
    assertThat(new HalfStorage(new Doubling()).workspaceBytes(signature)).isEqualTo(64 + 40);
    var wrong = KernelSignature.of(List.of(TensorType.of(INT64, 1)), List.of(), Attributes.NONE);
    assertThat(new HalfStorage(new Doubling()).accepts(wrong)).isFalse();
  }
}
