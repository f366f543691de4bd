package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random programs of arrays, views, writes in place, scopes and copies between devices, against a serial model. */
@Tag("long")
class RandomArraysOnCudaTest {
  private static final int ARRAYS = 6;
  private static final int ROWS = 4;
  private static final int COLUMNS = 5;

  /** An array, and what its elements must be. Whole numbers of at most 2^20, so that all sums are exact. */
  private static final class Pair {
    private final NDArray array;
    private final double[] model;

    Pair(NDArray array, double[] model) {
      this.array = array;
      this.model = model;
    }

    /** Brought back to small numbers if they grow. */
    Pair bounded() {
      for (double value : model) {
        if (Math.abs(value) > 1 << 20) {
          array.fill(1);
          return new Pair(array, each(_ -> 1));
        }
      }
      return this;
    }
  }

  private final List<Pair> pairs = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(Kind.class)
  void programsHaveTheModelsValues(Kind kind) throws Exception {
    run(kind, 1, arrays -> {
      for (int i = 0; i < 4; i++) {
        program(arrays, 1 + i, 150, 0);
        program(arrays, 1 + i, 150, 15);
      }
    });
  }

  /** Four threads. The naive engine serves one thread at a time. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("soak")
  void programsOfSeveralThreadsForLong(Kind kind) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("cairn.soak.minutes", 1));
    AtomicLong seeds = new AtomicLong(100);
    while (System.nanoTime() < end) {
      run(kind, kind == Kind.NAIVE ? 1 : 4, arrays -> {
        var own = new RandomArraysOnCudaTest();
        for (int i = 0; i < 10; i++) {
          own.program(arrays, seeds.incrementAndGet(), 400, i % 3 * 12);
        }
      });
    }
  }

  /** What a thread does with arrays. */
  private interface Programs {
    void run(ArrayRuntime arrays);
  }

  private static void run(Kind kind, int threads, Programs programs) throws Exception {
    ArrayOptions options = ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device(), DeviceOptions.CPU).withEngine(kind)
      .withThreads(1);
    try (var arrays = ArrayRuntime.open(options); var pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(pool.submit(() -> programs.run(arrays)));
      }
      for (Future<?> each : running) {
        each.get();
      }
      assertThat(arrays.stats().storages()).isZero();
      arrays.waitAll();
      assertThat(arrays.stats().memory().bytesInUse()).as("constants").isLessThan(64 << 10);
    }
  }

  /** @param bulk how many operations run as one, where elementwise calls are fused; 0 for no bulk */
  private void program(ArrayRuntime arrays, long seed, int steps, int bulk) {
    try (Engine.Bulk _ = arrays.bulk(bulk)) {
      program(arrays, seed, steps);
    }
  }

  private void program(ArrayRuntime arrays, long seed, int steps) {
    var random = new Random(seed);
    pairs.clear();
    for (int i = 0; i < ARRAYS; i++) {
      pairs.add(new Pair(arrays.zeros(DType.FLOAT64, ROWS, COLUMNS), new double[ROWS * COLUMNS]));
    }
    for (int step = 0; step < steps; step++) {
      try (var scope = arrays.scope()) {
        int target = random.nextInt(ARRAYS);
        Pair changed = step(pairs.get(target), pairs.get(random.nextInt(ARRAYS)), random);
        if (!changed.array.equals(pairs.get(target).array)) {
          pairs.get(target).array.close();
          scope.release(changed.array);
        }
        pairs.set(target, changed);
      }
      if (random.nextInt(20) == 0) {
        check(seed, step, pairs.get(random.nextInt(ARRAYS)));
      }
    }
    pairs.forEach(it -> check(seed, steps, it));
    pairs.forEach(it -> it.array.close());
  }

  private static void check(long seed, int step, Pair pair) {
    assertThat(pair.array.toDoubleArray()).as("seed=%d step=%d", seed, step).containsExactly(pair.model);
  }

  private static Pair step(Pair x, Pair y, Random random) {
    String device = x.array.device();
    int number = random.nextInt(7) - 3;
    return switch (random.nextInt(11)) {
      case 0 -> new Pair(x.array.to(random.nextBoolean() ? "cpu" : "cuda:0"), x.model);
      case 1 -> new Pair(x.array.add(y.array.to(device)), each(i -> x.model[i] + y.model[i])).bounded();
      case 2 -> new Pair(x.array.sub(number), each(i -> x.model[i] - number)).bounded();
      case 3 -> {
        x.array.fill(number);
        yield new Pair(x.array, each(_ -> number));
      }
      case 4 -> {
        int column = random.nextInt(COLUMNS);
        x.array.set(number, Index.parse(":, " + column));
        yield new Pair(x.array, each(i -> i % COLUMNS == column ? number : x.model[i]));
      }
      case 5 -> {
        int row = random.nextInt(ROWS);
        x.array.rows(row, row + 1).addi(number);
        yield new Pair(x.array, each(i -> i / COLUMNS == row ? x.model[i] + number : x.model[i])).bounded();
      }
      case 6 -> {
        y.array.copyTo(x.array);
        yield new Pair(x.array, y.model.clone());
      }
      case 7 -> new Pair(x.array.apply("PRelu", Attributes.NONE, 1, List.of(x.array, x.array.scalar(2))).get(0), each(
        i -> x.model[i] < 0 ? 2 * x.model[i] : x.model[i])).bounded();
      case 8 -> new Pair(x.array.mul(2).sub(number).add(x.array).neg(), each(
        i -> -(x.model[i] * 2 - number + x.model[i]))).bounded();
      case 9 -> {
        x.array.muli(2);
        x.array.subi(number);
        yield new Pair(x.array, each(i -> 2 * x.model[i] - number)).bounded();
      }
      default -> {
        x.array.addi(x.array);
        yield new Pair(x.array, each(i -> 2 * x.model[i])).bounded();
      }
    };
  }

  private static double[] each(IntToDoubleFunction element) {
    return IntStream.range(0, ROWS * COLUMNS).mapToDouble(element).toArray();
  }
}
