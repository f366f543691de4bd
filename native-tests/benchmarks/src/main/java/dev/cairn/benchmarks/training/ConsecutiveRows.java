package dev.cairn.benchmarks.training;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.data.ArrayDataset;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/**
 * Data whose batches are rows one after the other, from the first again behind the last.
 *
 * @param batch rows of an iteration
 * @param dtype of the features that a trainer gets, {@code float32} or {@code float64}
 */
record ConsecutiveRows(ArrayDataset data, int batch, DType dtype) {
  /** @return the loss */
  double iterate(Trainer trainer, int iteration) {
    ArrayDataset rows = data.select(IntStream.range(iteration * batch, (iteration + 1) * batch).map(row -> row % data
      .rows()).toArray());
    try (Tensor features = Tensor.copyOf(as(dtype, rows.features())); Tensor labels = Tensor.copyOf(rows.labels())) {
      return trainer.iterate(features, labels);
    }
  }

  /** A copy of {@code float32} values in another type; the values themselves where they have it. */
  static TensorView as(DType dtype, TensorView values) {
    if (values.dtype() == dtype) {
      return values;
    }
    var type = new TensorType(dtype, values.shape());
    MemorySegment bytes = Arena.ofAuto().allocate(type.bytes(), Double.BYTES);
    for (long i = 0; i < values.elementCount(); i++) {
      bytes.setAtIndex(ValueLayout.JAVA_DOUBLE, i, values.doubleAt(i));
    }
    return new TensorView(type, bytes);
  }
}
