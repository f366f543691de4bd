package dev.cairn.kernels.cpu.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.MovedElements;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.random.CpuDropout;
import dev.cairn.kernels.row.MovementKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CpuIdentityTest implements Rounds {
  static Stream<String> operators() {
    Kernel identity = row("Identity").kernel();
    return MovementKernels.ROWS.stream()
      .filter(row -> row.kernel().equals(identity) || row.kernel() instanceof CpuDropout)
      .map(KernelRow::operator);
  }

  @ParameterizedTest
  @MethodSource("operators")
  void copiesEveryElementInOrder(String operator) {
    for (long count : some(0L, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 4097, 300_001)) {
      MovedElements.check(operator, Attributes.NONE, Shape.of(1, count), Shape.of(count), i -> new long[] {0, i[0]});
    }
    MovedElements.check(operator, Attributes.NONE, Shape.SCALAR, Shape.of(1, 1), i -> new long[0]);
  }

  @ParameterizedTest
  @MethodSource("operators")
  void doesNothingWhereOutputAndInputAreTheSameBytes(String operator) {
    TensorView x = TestTensors.randomBits(DType.FLOAT32, Shape.of(6, 5), new Random(1));
    // A copy onto itself would not show; writing to a read-only segment does.
    TensorView y = new TensorView(TensorType.of(DType.FLOAT32, 30), x.segment().asReadOnly());
    try (var runner = new KernelRunner(MovementKernels.ROWS, 1)) {
      runner.runInto(row(operator), Attributes.NONE, List.of(y), x);
      TensorView other = new TensorView(y.type(), TestTensors.copy(x).segment().asReadOnly());
      assertThatThrownBy(() -> runner.runInto(row(operator), Attributes.NONE, List.of(other), x))
        .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void heapMemoryServesToo() {
    byte[] from = {1, 2, 3, 4};
    byte[] to = new byte[4];
    var type = TensorType.of(DType.UINT8, 4);
    try (var runner = new KernelRunner(MovementKernels.ROWS, 1)) {
      var x = new TensorView(type, MemorySegment.ofArray(from));
      runner.runInto(row("Identity"), Attributes.NONE, List.of(new TensorView(type, MemorySegment.ofArray(to))), x);
      runner.runInto(row("Identity"), Attributes.NONE, List.of(x), x);
    }
    assertThat(to).containsExactly(1, 2, 3, 4);
  }

  @Test
  void anOutputOfAnotherSizeIsRefused() {
    var x = TestTensors.counting(DType.FLOAT32, Shape.of(3));
    assertThatThrownBy(() -> MovedElements.run("Reshape", Attributes.NONE, TensorType.of(DType.FLOAT32, 4), x))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("from=float32[3] to=float32[4]");
  }

  @Test
  void theMaskOfDropoutIsAllTrue() {
    var x = TestTensors.counting(DType.FLOAT32, Shape.of(1001));
    List<TensorType> outputs = List.of(x.type(), TensorType.of(DType.BOOL, 1001));
    var ratio = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 0.7);
    var results = KernelRunner.checkTwins(MovementKernels.ROWS, "Dropout", Attributes.NONE, outputs, 1, x, ratio);
    KernelRunner.checkBits("kept", x, results.get(0));
    assertThat(results.get(1).toLongArray()).containsOnly(1).hasSize(1001);
  }

  @Test
  void dropoutForTrainingIsRefusedUnlessItDropsNothing() {
    var x = TestTensors.counting(DType.FLOAT32, Shape.of(3));
    var training = TestTensors.ofLongs(DType.BOOL, Shape.SCALAR, 1);
    var half = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 0.5);
    assertThatThrownBy(() -> MovedElements.run("Dropout", Attributes.NONE, x.type(), x, half, training))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ratio=0.5");
    assertThatThrownBy(() -> MovedElements.run("Dropout", Attributes.NONE, x.type(), x, null, training))
      .hasMessageContaining("ratio=0.5");
    var none = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 0);
    KernelRunner.checkBits("kept", x, MovedElements.run("Dropout", Attributes.NONE, x.type(), x, none, training));
  }

  private static KernelRow row(String operator) {
    return MovementKernels.ROWS.stream().filter(row -> row.operator().equals(operator)).findFirst().orElseThrow();
  }
}
