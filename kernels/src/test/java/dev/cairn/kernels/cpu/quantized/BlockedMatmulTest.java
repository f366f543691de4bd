package dev.cairn.kernels.cpu.quantized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.BlockedWeights;
import dev.cairn.kernels.row.QuantizedKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code MatMulNBits}: every kernel against sums that are written out. */
class BlockedMatmulTest {
  private final Random random = new Random(11);

  private TensorView check(BlockedWeights weights, DType dtype, int rows, @Nullable TensorView zeros, boolean hasBias) {
    TensorView a = TestTensors.random(dtype, Shape.of(rows, weights.depth()), random);
    TensorView b = TestTensors.randomBits(DType.UINT8, weights.shape(), random);
    TensorView scales = TestTensors.random(dtype, Shape.of(weights.columns(), weights.blocks()), random);
    TensorView bias = hasBias ? TestTensors.random(dtype, Shape.of(weights.columns()), random) : null;
    TensorView y = KernelRunner.checkTwins(QuantizedKernels.ROWS, "MatMulNBits", weights.attributes(),
      List.of(TensorType
        .of(dtype, rows, weights.columns())),
      ((long) weights.depth() << weights.bits()), a, b, scales, zeros, null, bias).getFirst();
    TensorView wanted = TestTensors.zeros(y.type());
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < weights.columns(); j++) {
        double sum = bias == null ? 0 : bias.doubleAt(j);
        for (int k = 0; k < weights.depth(); k++) {
          int block = k / weights.block();
          int scale = j * weights.blocks() + block;
          double zero = zeros == null
            ? weights.middle()
            : zeros.dtype() == DType.UINT8
              ? number(weights, zeros, j * weights.zeroBytes(), block)
              : zeros.doubleAt(
                scale);
          sum += a.doubleAt((long) i * weights.depth() + k) * (number(weights, b, j * weights.columnBytes(), k) - zero)
            * scales.doubleAt(scale);
        }
        TestTensors.set(wanted, (long) i * weights.columns() + j, sum);
      }
    }
    Tolerance.of(dtype, ((long) weights.depth() << weights.bits())).check("sums", wanted, y);
    return y;
  }

  /** The element at a place of some bytes. */
  private static int number(BlockedWeights weights, TensorView bytes, long start, int index) {
    return NarrowElements.code(weights.dtype(), bytes.segment().asSlice(start), index);
  }

  /** A few rows and many, blocks that are vectors and blocks that are not, depths with and without a rest. */
  @ParameterizedTest
  @CsvSource({"1, 17, 96, 4, 32", "3, 5, 70, 4, 16", "8, 33, 256, 8, 32", "9, 40, 300, 4, 64", "20, 19, 520, 8, 64",
    "33, 64, 300, 4, 32", "2, 7, 21, 2, 16", "5, 9, 30, 8, 10", "1, 3, 11, 4, 2"})
  void productsAreSumsOfBlocks(int rows, int columns, int depth, int bits, int block) {
    var weights = new BlockedWeights(columns, depth, bits, block);
    assertThat(BlockedWeights.of(weights.attributes())).isEqualTo(weights);
    check(weights, DType.FLOAT32, rows, null, false);
    check(weights, DType.FLOAT32, rows, TestTensors.randomBits(DType.UINT8, Shape.of(columns, weights.zeroBytes()),
      random), true);
    check(weights, DType.FLOAT32, rows, TestTensors.random(DType.FLOAT32, Shape.of(columns, weights.blocks()), random),
      false);
    check(weights, DType.FLOAT16, rows, null, true);
  }

  @Test
  void attributesAreChecked() {
    Attributes attributes = new BlockedWeights(3, 32, 4, 16).attributes();
    assertThatThrownBy(() -> BlockedWeights.of(attributes.with("bits", 3))).hasMessageContaining("bits=3");
    assertThatThrownBy(() -> BlockedWeights.of(attributes.with("block_size", 0))).hasMessageContaining("block_size=0");
    assertThatThrownBy(() -> BlockedWeights.of(attributes.with("block_size", 5))).hasMessageContaining("block_size=5");
    assertThatThrownBy(() -> BlockedWeights.of(attributes.without("N"))).hasMessageContaining("N=0");
  }
}
