package dev.cairn.kernels.cpu.access;

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
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
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

  /** Every number of 16 bits, the numbers that are rounded around it, and lengths that are no whole vectors. */
  @Test
  void vectorsRoundAsTheReferenceDoes() {
    var random = new Random(3);
    long count = 3 * 65_536 + 5;
    var wide = TestTensors.zeros(TensorType.of(FLOAT32, count));
    for (long i = 0; i < count; i++) {
      int low = random.nextBoolean() ? random.nextInt(1 << 16) : 0x7fff + random.nextInt(3);
      wide.segment().setAtIndex(ValueLayout.JAVA_INT, i, (int) (i << 16) | low);
    }
    try (var runner = new KernelRunner(ElementwiseKernels.ROWS, 2)) {
      for (long elements : new long[] {count, 1, 15, 33}) {
        var part = new TensorView(TensorType.of(FLOAT32, elements), wide.segment().asSlice(0, 4 * elements));
        var halves = everyCast(runner, part, BFLOAT16);
        everyCast(runner, halves, FLOAT32);
      }
    }
  }

  /** The result of all kernels, which must be the same. */
  private static TensorView everyCast(KernelRunner runner, TensorView from, DType to) {
    var type = from.type().withDType(to);
    var signature = KernelSignature.of(List.of(from.type()), List.of(type), Attributes.NONE);
    var results = new KernelCatalog(ElementwiseKernels.ROWS).rows("Cast").stream().filter(it -> it.kernel().accepts(
      signature)).map(it -> runner.runRow(it, Attributes.NONE, List.of(type), from).getFirst()).toList();
    assertThat(results.size()).isEqualTo(2);
    assertThat(results.get(0).segment().mismatch(results.get(1).segment())).isEqualTo(-1);
    return results.get(0);
  }
}
