package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.expression.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random program over arrays of several shapes, most of it elementwise: temporaries that are closed at once or later,
 * writes in place, views, reductions between them, and failures. What it computes must not depend on bulks.
 */
final class BulkProgram {
  private static final int ARRAYS = 5;
  private static final int ROWS = 40;
  private static final int COLUMNS = 128;

  private final ArrayRuntime arrays;
  private final Random random;
  private final boolean fails;
  private final List<NDArray> matrices = new ArrayList<>();
  private final NDArray row;
  private final NDArray column;

  /** @param fails whether some arrays are overwritten by calls that fail */
  BulkProgram(ArrayRuntime arrays, long seed, boolean fails) {
    this.arrays = arrays;
    this.random = new Random(seed);
    this.fails = fails;
    this.row = filled(1, COLUMNS);
    this.column = filled(ROWS, 1);
    for (int i = 0; i < ARRAYS; i++) {
      matrices.add(filled(ROWS, COLUMNS));
    }
  }

  private NDArray filled(long... shape) {
    float[] values = new float[Math.toIntExact(shape[0] * shape[1])];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(64) / 16f - 2;
    }
    return arrays.of(values, shape);
  }

  /**
   * The elements of each array after the steps, or the operation that has failed.
   *
   * @param bulk how many operations run as one; 0 for no bulk
   */
  List<Object> run(int steps, int bulk) {
    List<Object> found = new ArrayList<>();
    try (Engine.Bulk _ = arrays.bulk(bulk)) {
      for (int step = 0; step < steps; step++) {
        step();
      }
      if (random.nextBoolean()) {
        matrices.forEach(it -> found.add(valuesOf(it)));
      }
    }
    matrices.forEach(it -> found.add(valuesOf(it)));
    matrices.forEach(NDArray::close);
    row.close();
    column.close();
    try {
      arrays.waitAll();
    } catch (OperationFailed e) {
      // Each failure was found above.
      found.add(e.operation());
    }
    return found;
  }

  private static Object valuesOf(NDArray array) {
    try {
      return array.toFloatArray();
    } catch (OperationFailed e) {
      return e.operation();
    }
  }

  private NDArray any() {
    return matrices.get(random.nextInt(ARRAYS));
  }

  private void replace(NDArray made) {
    matrices.set(random.nextInt(ARRAYS), made).close();
  }

  private void step() {
    int number = random.nextInt(5) - 2;
    switch (random.nextInt(15)) {
      case 0 -> chain(1 + random.nextInt(8));
      case 1 -> replace(any().add(any()));
      case 2 -> replace(any().mul(row));
      case 3 -> replace(column.sub(any()));
      case 4 -> any().addi(number);
      case 5 -> any().muli(any());
      case 6, 7 -> ofRows(number);
      case 8 -> any().fill(number);
      case 9 -> replace(selected());
      case 10 -> replace(reduced());
      case 11 -> any().set(number, Index.parse(":, " + random.nextInt(COLUMNS)));
      case 12 -> any().overwrite("Tanh", Attributes.NONE, List.of(any()));
      case 13 -> viewed();
      default -> {
        if (fails) {
          fail();
        }
      }
    }
  }

  /** Temporaries that are closed as soon as the next value is computed from them. */
  private void chain(int length) {
    NDArray value = any().add(any());
    for (int i = 0; i < length; i++) {
      NDArray before = value;
      value = link(before);
      if (random.nextInt(6) > 0) {
        before.close();
      } else {
        replace(before);
      }
    }
    replace(value);
  }

  private NDArray link(NDArray x) {
    return switch (random.nextInt(9)) {
      case 0 -> x.tanh();
      case 1 -> x.mul(0.5);
      case 2 -> x.sub(any());
      case 3 -> x.maximum(row);
      case 4 -> x.abs();
      case 5 -> x.clip(-3, 3);
      case 6 -> x.div(column);
      case 7 -> x.square();
      default -> x.sign().add(x);
    };
  }

  /** Writes some rows. */
  private void ofRows(int number) {
    try (var _ = arrays.scope()) {
      int from = random.nextInt(ROWS / 2);
      NDArray rows = any().rows(from, from + ROWS / 2);
      if (random.nextBoolean()) {
        rows.addi(number);
      } else {
        rows.copyFrom(any().rows(0, ROWS / 2));
      }
    }
  }

  private NDArray selected() {
    try (var scope = arrays.scope()) {
      NDArray x = any();
      return scope.release(x.gt(any()).where(x, any().astype(DType.FLOAT64).mul(2).astype(DType.FLOAT32)));
    }
  }

  private NDArray reduced() {
    try (var scope = arrays.scope()) {
      NDArray x = any().tanh();
      return scope.release(x.sub(x.mean(1).reshape(ROWS, 1)).mul(x));
    }
  }

  /** Other shapes of the same bytes. */
  private void viewed() {
    try (var _ = arrays.scope()) {
      NDArray x = any();
      x.reshape(COLUMNS, ROWS).addi(x.add(1).reshape(COLUMNS, ROWS));
    }
  }

  private void fail() {
    try (var _ = arrays.scope()) {
      NDArray failed = column.take(arrays.of(new long[] {ROWS + 1}, 1), 0).reshape(1, 1);
      any().copyFrom(failed.broadcastTo(ROWS, COLUMNS));
    }
  }
}
