package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.MemoryGrowth;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.RunOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Results in a GPU's memory move by copies on a stream. */
class CompactionOnCudaTest {
  private static final String COPY = "cuMemcpyDtoDAsync_v2";
  private static final RunOptions ON_DEVICE = RunOptions.DEFAULT.withResultsOnDevice();
  private static final int RESULTS = 8;
  private static final int ITEMS = 1 << 14;

  /** y = x + x + x for x of any length: a plan and a result, as long as x each. */
  private static Graph model() {
    var builder = new GraphBuilder("thrice");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("items"))));
    builder.output("y", builder.apply("Add", builder.apply("Add", x, x), x));
    return builder.build();
  }

  private static Session session(Collection collection, long limitBytes) {
    return Session.of(model(), SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device()).withMemory(
      MemoryOptions.DEFAULT.withGrowth(MemoryGrowth.WHOLE).withLimitBytes(limitBytes).withCollection(collection)));
  }

  private static Result run(Session session, int items, int value) {
    float[] values = new float[items];
    for (int i = 0; i < items; i++) {
      values[i] = value + (i & 7);
    }
    try (Tensor x = Tensor.of(values, items)) {
      return session.run(Map.of("x", x), ON_DEVICE);
    }
  }

  private static void requireValues(Result result, int items, int value) {
    float[] values = new float[items];
    for (int i = 0; i < items; i++) {
      values[i] = 3 * (value + (i & 7));
    }
    assertThat(Arrays.equals(result.get("y").toFloatArray(), values)).as("value=%d", value).isTrue();
  }

  /** What a plan takes beside eight results. */
  private static long limitBytes() {
    try (Session session = session(Collection.NEVER, 64L << 20)) {
      Result result = run(session, ITEMS, 1);
      long bytes = session.memoryStats().bytesInUse();
      result.close();
      return bytes + (RESULTS - 1) * 4L * ITEMS;
    }
  }

  /** Results that fill the limit, of which every second was closed again. */
  private static List<Result> halfFilled(Session session) {
    List<Result> results = new ArrayList<>();
    for (int value = 0; value < RESULTS; value++) {
      results.add(run(session, ITEMS, value));
    }
    assertThat(session.memoryStats().freeBytes()).isZero();
    for (int value = 0; value < RESULTS; value += 2) {
      results.get(value).close();
    }
    return results;
  }

  private static void requireAndClose(List<Result> results) {
    for (int value = 1; value < RESULTS; value += 2) {
      requireValues(results.get(value), ITEMS, value);
      results.get(value).close();
    }
  }

  @Test
  void aRefusalForFragmentationBecomesAGrant() {
    long limitBytes = limitBytes();
    try (Session session = session(Collection.BEFORE_GROWTH, limitBytes)) {
      List<Result> results = halfFilled(session);
      assertThatThrownBy(() -> run(session, 2 * ITEMS, 100)).isInstanceOf(OutOfMemory.class);
      requireAndClose(results);
    }
    try (Session session = session(Collection.COMPACT, limitBytes)) {
      List<Result> results = halfFilled(session);
      try (Result large = run(session, 2 * ITEMS, 100)) {
        requireValues(large, 2 * ITEMS, 100);
      }
      assertThat(session.memoryStats().movedBytes()).isPositive();
      requireAndClose(results);
    }
  }

  @Test
  void aCopyThatFailsLeavesTheResults() {
    Simulator simulator = CudaUnderTest.simulator();
    try (Session session = session(Collection.AT_THE_LIMIT, limitBytes())) {
      List<Result> results = halfFilled(session);
      simulator.fail(COPY, 1, 2);
      try {
        assertThatThrownBy(session::compact).isInstanceOf(CudaFailure.class);
      } finally {
        simulator.clear(COPY);
      }
      assertThat(session.memoryStats().movedBytes()).isZero();
      assertThat(session.compact()).isPositive();
      requireAndClose(results);
    }
  }

  /** Two results are twice as long as the gap before them: each is copied in two pieces. */
  @Test
  void aBlockLongerThanTheGapMovesInPieces() {
    try (Session session = session(Collection.AT_THE_LIMIT, 64L << 20)) {
      List<Result> results = new ArrayList<>();
      for (int value = 0; value < RESULTS; value++) {
        results.add(run(session, (value % 2 + 1) * ITEMS, value));
      }
      for (int value = 0; value < RESULTS; value += 2) {
        results.get(value).close();
      }
      assertThat(session.compact()).isPositive();
      for (int value = 1; value < RESULTS; value += 2) {
        requireValues(results.get(value), 2 * ITEMS, value);
        results.get(value).close();
      }
    }
  }
}
