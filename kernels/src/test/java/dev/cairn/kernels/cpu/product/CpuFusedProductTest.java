package dev.cairn.kernels.cpu.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.PointwiseCase;
import dev.cairn.kernels.ProductCase;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.row.FusedProductKernels;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuFusedProductTest implements Rounds {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  @Test
  void givesTheBitsOfTheProductAndTheStepsRunOneByOne() {
    try (var alone = new KernelRunner(StandardKernels.portableRows(), 1)) {
      for (int seed = 0; seed < rounds(60); seed++) {
        DType dtype = FLOATS.get(seed / 3 % 4);
        ProductCase product = seed % 3 == 0
          ? ProductCase.conv(seed, dtype)
          : seed % 3 == 1 ? ProductCase.gemm(seed, dtype) : ProductCase.matmul(seed, dtype);
        PointwiseCase program = product.program(seed, false);
        List<TensorView> expected = product.unfused(alone, program);
        List<TensorView> actual = KernelRunner.checkTwins(FusedProductKernels.ROWS, FusedProduct.OPERATOR, product
          .fused(program), program.outputTypes(), 1, product.inputs(program));
        for (int i = 0; i < expected.size(); i++) {
          KernelRunner.checkNumbers("seed %d result %d of %s and %s".formatted(seed, i, product, program.program()),
            expected.get(i), actual.get(i));
        }
      }
    }
  }

  @Test
  void theTextOfBothIsReadAgain() {
    Attributes own = Attributes.NONE.with("group", 2).with("pads", AttributeValue.Ints.of(1, 1));
    ProductCase product = ProductCase.conv(1, DType.FLOAT32);
    PointwiseProgram program = product.program(7, false).program();
    FusedProduct fused = new FusedProduct("Conv", own, program);
    assertThat(FusedProduct.of(fused.all())).isEqualTo(fused);
    assertThatThrownBy(() -> FusedProduct.of(program.attributes())).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("no product is named");
  }

  @Test
  void refusesAProductOrAStepWithoutAKernel() {
    TensorView x = TestTensors.counting(DType.FLOAT32, Shape.of(3, 3));
    assertThat(serves("MatMul", "%0 = Relu(x0) float32; return %0", x)).isTrue();
    assertThat(serves("Softmax", "%0 = Relu(x0) float32; return %0", x)).isFalse();
    assertThat(serves("MatMul", "%0 = Softmax(x0) float32; return %0", x)).isFalse();
  }

  private static boolean serves(String operator, String program, TensorView x) {
    Attributes attributes = Attributes.NONE.with("product", new AttributeValue.Text(operator)).with("program",
      new AttributeValue.Text(program));
    return new KernelCatalog(FusedProductKernels.ROWS).find(FusedProduct.OPERATOR, KernelRunner.signature(attributes,
      List.of(x.type()), x, x)).isPresent();
  }
}
