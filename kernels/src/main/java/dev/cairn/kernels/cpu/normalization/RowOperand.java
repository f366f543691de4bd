package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Scale or bias of normalized rows: it broadcasts to the data. Mostly it is the same for each row, and then it is
 * read once.
 */
final class RowOperand {
  private final TensorView operand;
  private final Broadcast broadcast;
  private final int length;
  private final boolean isSame;
  private final double[] first;

  private RowOperand(TensorView operand, Broadcast broadcast, int length, boolean isSame) {
    this.operand = operand;
    this.broadcast = broadcast;
    this.length = length;
    this.isSame = isSame;
    this.first = new double[isSame ? length : 0];
    if (isSame) {
      read(0, first);
    }
  }

  /** @param x the shape of the data, which has elements */
  static RowOperand of(TensorView operand, NormalizedRows form, Shape x) {
    boolean isSame = form.isSameForEachRow(operand.shape());
    Broadcast broadcast = isSame
      ? Broadcast.of(form.row(), form.inRow(operand.shape()))
      : Broadcast.of(x, operand.shape());
    return new RowOperand(operand, broadcast, Math.toIntExact(form.length()), isSame);
  }

  /** Room for the elements of one row, if each row has its own. */
  double[] buffer() {
    return new double[isSame ? 0 : length];
  }

  /** The elements for a row, which lie in the buffer if each row has its own. */
  double[] of(long row, double[] buffer) {
    if (isSame) {
      return first;
    }
    read(row, buffer);
    return buffer;
  }

  private void read(long row, double[] values) {
    var runs = broadcast.runs(row * length, (row + 1) * length);
    int at = 0;
    while (runs.next()) {
      for (int i = 0; i < runs.length(); i++) {
        values[at++] = operand.doubleAt(runs.offset(0) + i * broadcast.step(0));
      }
    }
  }
}
