package dev.cairn.kernels.cpu.expert;

import dev.cairn.kernels.attribute.ExpertForm;
import dev.cairn.kernels.attribute.ExpertInputs;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorView;

/** The rows of weights of a product, as real numbers, and its biases. */
final class ExpertRows {
  private final KernelCall call;
  private final ExpertForm form;
  private final ExpertInputs.Product product;
  private final long rows;
  private final int columns;

  /** @param columns of a row; the shape of the weights counts bytes where these are quantised */
  ExpertRows(KernelCall call, ExpertForm form, ExpertInputs.Product product, long columns) {
    this.call = call;
    this.form = form;
    this.product = product;
    this.rows = call.input(product.weights()).shape().extent(1);
    this.columns = Math.toIntExact(columns);
  }

  int columns() {
    return columns;
  }

  /** Reads a row of an expert. */
  void read(int expert, long row, double[] to) {
    TensorView weights = call.input(product.weights());
    long line = expert * rows + row;
    if (product.scales() < 0) {
      Elements.read(weights, line * columns, to, columns);
      return;
    }
    int blocks = form.blocks(columns);
    int size = form.block() == 0 ? columns : form.block();
    long start = line * form.dtype().bytes(columns) * form.dtype().perByte();
    for (int block = 0; block < blocks; block++) {
      float scale = (float) call.input(product.scales()).doubleAt(line * blocks + block);
      int zero = zero(expert, row, block);
      for (int i = block * size; i < Math.min(columns, (block + 1) * size); i++) {
        to[i] = (NarrowElements.code(form.dtype(), weights.segment(), start + i) - zero) * scale;
      }
    }
  }

  private int zero(int expert, long row, int block) {
    if (!call.has(product.zeros())) {
      return form.middle();
    }
    long first = expert * form.zeroBytes(rows, columns);
    long index = form.block() == 0
      ? first * form.dtype().perByte() + row
      : (first + row * form.dtype().bytes(form.blocks(columns))) * form.dtype().perByte() + block;
    return NarrowElements.code(form.dtype(), call.input(product.zeros()).segment(), index);
  }

  double bias(int expert, long row) {
    return call.has(product.bias()) ? call.input(product.bias()).doubleAt(expert * rows + row) : 0;
  }
}
