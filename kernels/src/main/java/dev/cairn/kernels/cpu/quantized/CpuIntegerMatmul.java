package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * Products of matrices of 8-bit whole numbers, less their zero points. Sums are whole numbers of 32 bits that wrap.
 * {@code MatMulInteger} has the sums as its result, {@code MatMulIntegerToFloat} scales them and adds a bias, and
 * {@code QLinearMatMul} adds a whole bias, if it has one, and quantises them again.
 */
public final class CpuIntegerMatmul implements Kernel {
  private static final long GRAIN_TERMS = 1 << 16;

  private final QuantizedInputs inputs;

  public CpuIntegerMatmul(QuantizedInputs inputs) {
    this.inputs = inputs;
  }

  @Override
  public void run(KernelCall call) {
    MatrixProduct product = MatrixProduct.ofMatmul(call.input(inputs.left()).shape(), call.input(inputs.right())
      .shape());
    var numbers = new QuantizedNumbers(call, inputs);
    long terms = (long) product.columns() * product.depth() + 1;
    CpuStream.of(call).parallel(product.count() * (long) product.rows(), Math.ceilDiv(GRAIN_TERMS, terms),
      (first, end) -> {
        for (long row = first; row < end; row++) {
          new Row(call, product, numbers, row).compute();
        }
      });
  }

  /** One row of the result, by its index among those of all products. */
  private final class Row {
    private final KernelCall call;
    private final MatrixProduct product;
    private final QuantizedNumbers numbers;
    private final long row;
    private final long leftStart;
    private final long rightStart;
    private final long leftRow;
    private final long firstColumn;

    Row(KernelCall call, MatrixProduct product, QuantizedNumbers numbers, long row) {
      this.call = call;
      this.product = product;
      this.numbers = numbers;
      this.row = row;
      int index = (int) (row / product.rows());
      leftStart = product.leftStart(index) + row % product.rows() * product.leftRowStride();
      rightStart = product.rightStart(index);
      leftRow = leftStart / Math.max(1, product.depth());
      firstColumn = rightStart / Math.max(1, product.depth());
    }

    void compute() {
      int[] sums = sums();
      TensorView y = call.output(0);
      long start = row * sums.length;
      if (inputs.leftScale() == QuantizedInputs.NONE) {
        Elements.write(Arrays.stream(sums).asLongStream().toArray(), y, start, sums.length);
      } else if (inputs.scale() == QuantizedInputs.NONE) {
        Elements.write(reals(sums), y, start, sums.length);
      } else {
        QuantizedRange range = QuantizedRange.of(y.dtype());
        long[] quantized = new long[sums.length];
        for (int j = 0; j < sums.length; j++) {
          float scale = numbers.productScale(leftRow, firstColumn + j);
          quantized[j] = range.quantized(sums[j] * (scale / numbers.scale(row)), numbers.zero(row));
        }
        Elements.write(quantized, y, start, sums.length);
      }
    }

    private int[] sums() {
      int[] sums = start();
      long[] factors = new long[product.depth()];
      long[] line = new long[sums.length];
      Elements.read(call.input(inputs.left()), leftStart, factors, factors.length);
      for (int k = 0; k < factors.length; k++) {
        int factor = (int) factors[k] - numbers.leftZero(leftRow);
        Elements.read(call.input(inputs.right()), rightStart + k * product.rightDepthStride(), line, line.length);
        for (int j = 0; j < sums.length; j++) {
          sums[j] += factor * ((int) line[j] - numbers.rightZero(firstColumn + j));
        }
      }
      return sums;
    }

    /** The bias of a quantised result, which is in units of the product's scale. */
    private int[] start() {
      int[] sums = new int[product.columns()];
      if (inputs.scale() != QuantizedInputs.NONE && call.has(inputs.bias())) {
        Arrays.setAll(sums, j -> (int) call.input(inputs.bias()).longAt(j));
      }
      return sums;
    }

    private double[] reals(int[] sums) {
      boolean adds = call.has(inputs.bias());
      double[] bias = new double[sums.length];
      if (adds) {
        Elements.read(call.input(inputs.bias()), 0, bias, sums.length);
      }
      double[] values = new double[sums.length];
      for (int j = 0; j < sums.length; j++) {
        float scaled = sums[j] * numbers.productScale(leftRow, firstColumn + j);
        values[j] = adds ? scaled + (float) bias[j] : scaled;
      }
      return values;
    }
  }
}
