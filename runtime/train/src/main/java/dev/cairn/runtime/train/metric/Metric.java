package dev.cairn.runtime.train.metric;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.function.BiFunction;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure over many batches. Its sums are an array of {@code float64}, so {@link #update} waits for nothing. Not
 * thread-safe.
 */
public final class Metric implements AutoCloseable {
  private final String name;
  private final BiFunction<NDArray, NDArray, NDArray> terms;
  private final ToDoubleBiFunction<double[], Long> value;
  private @Nullable NDArray sums;
  private long labels;

  private Metric(String name, BiFunction<NDArray, NDArray, NDArray> terms, ToDoubleBiFunction<double[], Long> value) {
    this.name = name;
    this.terms = terms;
    this.value = value;
  }

  /**
   * A metric of your own.
   *
   * @param terms of predictions and labels, what a batch adds to the sums: an array of one axis
   * @param value of the sums over all batches and the number of labels, the figure
   */
  public static Metric of(String name, BiFunction<NDArray, NDArray, NDArray> terms,
    ToDoubleBiFunction<double[], Long> value) {
    return new Metric(name, terms, value);
  }

  public String name() {
    return name;
  }

  /** Adds a batch. */
  public void update(NDArray predictions, NDArray expected) {
    try (ArrayScope scope = predictions.runtime().scope()) {
      NDArray batch = terms.apply(predictions, expected).astype(DType.FLOAT64);
      NDArray before = sums;
      sums = scope.release(before == null ? batch : before.add(batch));
      labels += expected.shape().elementCount();
      if (before != null) {
        before.close();
      }
    }
  }

  /** The figure over all batches so far; NaN before the first. Waits for them. */
  public double get() {
    return sums == null ? Double.NaN : value.applyAsDouble(sums.toDoubleArray(), labels);
  }

  /** Begins again. */
  public void reset() {
    if (sums != null) {
      sums.close();
      sums = null;
    }
    labels = 0;
  }

  @Override
  public void close() {
    reset();
  }
}
