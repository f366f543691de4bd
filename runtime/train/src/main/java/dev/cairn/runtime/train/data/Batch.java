package dev.cairn.runtime.train.data;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * Some rows of a data set.
 *
 * @param number counts the batches of an epoch from 0
 * @param features their bytes outlive the batch
 * @param rows the rows' numbers in the data set, for messages
 * @param valid how many rows count; rows from there on repeat earlier ones, to fill the batch
 */
@SuppressWarnings("ArrayRecordComponent")
public record Batch(int number, TensorView features, TensorView labels, int[] rows, int valid) {
  @Override
  public String toString() {
    return "batch %d of rows %s".formatted(number, Arrays.toString(Arrays.copyOf(rows, valid)));
  }
}
