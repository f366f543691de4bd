package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.quantized.PackedIntegerMatmul;
import dev.cairn.kernels.row.QuantizedKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Products of quantised matrices by oneDNN have the portable kernels' bits. */
class OneDnnIntegerTest implements Rounds {
  private final OneDnnFixture fixture = new OneDnnFixture();
  private final KernelRunner portable = new KernelRunner(KernelRunner.portable(QuantizedKernels.ROWS), 1);
  private final Random random = new Random(8);

  @AfterEach
  void nothingIsHeld() {
    portable.close();
    fixture.close();
    assertEquals(0, fixture.calls.live());
  }

  private PackedIntegerMatmul kernel(QuantizedInputs inputs) {
    KernelRow plain = fixture.one.rows().stream().filter(row -> row.operator().equals("MatMulInteger")).findFirst()
      .orElseThrow();
    return new PackedIntegerMatmul(inputs, plain.kernel());
  }

  /** @return whether oneDNN served the call, with packed weights */
  private boolean check(String operator, QuantizedInputs inputs, TensorType output, @Nullable TensorView... operands) {
    KernelSignature signature = KernelRunner.signature(Attributes.NONE, List.of(output), operands);
    PackedIntegerMatmul kernel = kernel(inputs);
    if (!kernel.accepts(signature)) {
      return false;
    }
    TensorView truth = portable.run(operator, Attributes.NONE, output, operands);
    PlannedKernel planned = kernel.planned(signature, Set.of(inputs.right()));
    assertEquals(Set.of(inputs.right()), planned.packed().keySet());
    KernelRunner.checkBits(operator + signature, truth, fixture.planned(planned, signature, operands));
    PlannedKernel plain = kernel.planned(signature, Set.of());
    assertTrue(plain.packed().isEmpty());
    KernelRunner.checkBits(operator + signature, truth, fixture.planned(plain, signature, operands));
    return true;
  }

  private TensorView bytes(DType dtype, long... extents) {
    return TestTensors.randomBits(dtype, Shape.of(extents), random);
  }

  private TensorView scales(long count) {
    return TestTensors.scales(count, random);
  }

  @Test
  void productsOfAllTypesAndZeroPoints() {
    int served = 0;
    for (int round = 0; round < rounds(20); round++) {
      DType left = round % 2 == 0 ? DType.UINT8 : DType.INT8;
      DType right = round % 4 < 2 ? DType.INT8 : DType.UINT8;
      long rows = 1L + random.nextInt(70);
      long depth = 60L + random.nextInt(600);
      long columns = 20L + random.nextInt(90);
      TensorView a = bytes(left, rows, depth);
      TensorView b = bytes(right, depth, columns);
      TensorView az = random.nextBoolean() ? bytes(left, 1) : null;
      TensorView bz = random.nextBoolean() ? bytes(right, random.nextBoolean() ? 1 : columns) : null;
      TensorType sums = TensorType.of(DType.INT32, rows, columns);
      served += check("MatMulInteger", QuantizedInputs.INTEGER, sums, a, b, az, bz) ? 1 : 0;
      served += check("MatMulIntegerToFloat", QuantizedInputs.TO_FLOAT, sums.withDType(DType.FLOAT32), a, b, scales(1),
        scales(columns), az, bz, scales(columns)) ? 1 : 0;
      served += check("QLinearMatMul", QuantizedInputs.LINEAR, sums.withDType(DType.UINT8), a, scales(1), bytes(left,
        1), b, scales(columns), bytes(right, columns), TestTensors.of(DType.FLOAT32, Shape.SCALAR, 3),
        bytes(
          DType.UINT8, 1)) ? 1 : 0;
    }
    assumeTrue(served > 0, "oneDNN has no exact product of bytes for this processor");
    assertTrue(served > 2 * rounds(20), "oneDNN served " + served);
  }
}
