package dev.cairn.runtime.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Models with attention as one step, against the same models as they are written. */
class AttentionTest {
  private static final int ROWS = 256;
  private static final int WIDTH = 32;

  private final GraphFixture graph = new GraphFixture();

  private NodeEntry heads(String name, NodeEntry x, String order) {
    NodeEntry apart = graph.apply(name + "4", "Reshape", x, graph.constant(name + "s", TensorView.ofLongs(2, ROWS, 4,
      WIDTH / 4)));
    return graph.apply(name, "Transpose{perm=[" + order + "]}", apart);
  }

  private Graph model(boolean causal) {
    NodeEntry x = graph.input("x", "float32[2x%dx%d]".formatted(ROWS, WIDTH));
    NodeEntry z = graph.input("z", "float32[2x%dx%d]".formatted(ROWS, WIDTH));
    NodeEntry product = graph.apply("p", "MatMul", heads("q", x, "0,2,1,3"), heads("k", z, "0,2,3,1"));
    NodeEntry scores = graph.apply("s", "Div", product, graph.constant("root", TensorView.ofFloats(Shape.of(1),
      2.5f)));
    NodeEntry mask = causal ? triangle() : graph.input("m", "bool[2x1x1x" + ROWS + "]");
    NodeEntry masked = graph.apply("w", "Where", mask, scores, graph.constant("far", TensorView.ofFloats(Shape.of(1),
      -1e9f)));
    NodeEntry mixed = graph.apply("y4", "MatMul", graph.apply("shares", "Softmax", masked), heads("v", x, "0,2,1,3"));
    return graph.graph(graph.apply("y", "Reshape", graph.apply("yt", "Transpose{perm=[0,2,1,3]}", mixed), graph
      .constant("ys", TensorView.ofLongs(2L * ROWS, WIDTH))));
  }

  private NodeEntry triangle() {
    byte[] counts = new byte[ROWS * ROWS];
    for (int i = 0; i < ROWS; i++) {
      Arrays.fill(counts, i * ROWS, i * ROWS + i + 1, (byte) 1);
    }
    return graph.constant("m", new TensorView(TensorType.of(DType.BOOL, 1, 1, ROWS, ROWS), MemorySegment.ofArray(
      counts)));
  }

  private static float[] run(Session session, boolean causal) {
    var random = new SplittableRandom(9);
    float[] x = new float[2 * ROWS * WIDTH];
    float[] z = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextGaussian();
      z[i] = (float) random.nextGaussian();
    }
    byte[] mask = new byte[2 * ROWS];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = (byte) (i < ROWS ? random.nextInt(2) : 0);
    }
    Tensor a = Tensor.of(x, 2, ROWS, WIDTH);
    Tensor b = Tensor.of(z, 2, ROWS, WIDTH);
    Tensor m = Tensor.copyOf(new TensorView(TensorType.of(DType.BOOL, 2, 1, 1, ROWS), MemorySegment.ofArray(mask)));
    try (Result result = session.run(causal ? Map.of("x", a, "z", b) : Map.of("x", a, "z", b, "m", m))) {
      return result.get("y").toFloatArray();
    }
  }

  private void check(boolean causal, List<String> steps) {
    Graph model = model(causal);
    SessionOptions plain = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withAttention(
      false));
    try (Session one = Session.of(model, SessionOptions.DEFAULT.withThreads(1));
      Session written = Session.of(model, plain)) {
      float[] expected = run(written, causal);
      float[] actual = run(one, causal);
      for (int i = 0; i < expected.length; i++) {
        int index = i;
        assertEquals(expected[i], actual[i], 1e-5, () -> "index=" + index);
      }
      CompiledGraph compiled = one.compiled().orElseThrow();
      assertEquals(steps, compiled.storage().steps().stream().map(it -> it.operator()).toList());
      long scores = 2L * 4 * ROWS * ROWS * Float.BYTES;
      assertTrue(written.compiled().orElseThrow().plan().peakBytes() >= scores);
      // The rest is room for the threads' parts, of which a plan for any number of threads has sixteen.
      assertTrue(compiled.plan().peakBytes() < scores, () -> "peak=%d scores=%d".formatted(compiled.plan().peakBytes(),
        scores));
    }
  }

  @Test
  void aCausalModelIsOneStepWithoutScores() {
    check(true, List.of("Attention"));
  }

  /** No key of one text counts at all: its rows are plain means. */
  @Test
  void aMaskThatComesWithTheRunIsAddedAndNoScoresAreKept() {
    check(false, List.of("Where", "Attention"));
  }

  /**
   * A text that is filled up from the left, where its first tokens may look at nothing that counts: by a finite number
   * for what lies behind them they look at that, and nothing is NaN.
   */
  @Test
  void rowsOfWhichNothingCountsAreAsTheyAreWritten() {
    float[] padding = {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY, 0, 0};
    for (float far : new float[] {-1e9f, -Float.MAX_VALUE, Float.NEGATIVE_INFINITY}) {
      for (boolean isTriangleFirst : new boolean[] {true, false}) {
        Graph model = padded(far, isTriangleFirst);
        float[] expected = run(model, padding, false);
        float[] actual = run(model, padding, true);
        assertArrayEquals(expected, actual, 1e-5f, "far=%s first=%s".formatted(far, isTriangleFirst));
        assertEquals(Float.isInfinite(far), Float.isNaN(expected[0]));
      }
    }
  }

  private static Graph padded(float far, boolean isTriangleFirst) {
    var of = new GraphFixture();
    NodeEntry q = of.input("q", "float32[1x1x4x1]");
    NodeEntry m = of.input("m", "float32[1x1x1x4]");
    NodeEntry p = of.apply("p", "MatMul", q, of.apply("k", "Transpose{perm=[0,1,3,2]}", q));
    NodeEntry t = of.constant("t", new TensorView(TensorType.of(DType.BOOL, 4, 4), MemorySegment.ofArray(new byte[] {1,
      0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1})));
    NodeEntry fill = of.constant("far", TensorView.ofFloats(Shape.of(1), far));
    NodeEntry masked = isTriangleFirst
      ? of.apply("s2", "Add", of.apply("s1", "Where", t, p, fill), m)
      : of.apply("s2", "Where", t, of.apply("s1", "Add", p, m), fill);
    return of.graph(of.apply("y", "MatMul", of.apply("w", "Softmax", masked), q));
  }

  private static float[] run(Graph model, float[] padding, boolean attention) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withAttention(
      attention));
    try (Session session = Session.of(model, options);
      Tensor q = Tensor.of(new float[] {0.5f, -1, 2, 0.25f}, 1, 1, 4, 1);
      Tensor m = Tensor.of(padding, 1, 1, 1, 4);
      Result result = session.run(Map.of("q", q, "m", m))) {
      assertEquals(attention, session.compiled().orElseThrow().storage().steps().stream().anyMatch(it -> it.operator()
        .equals("Attention")));
      return result.get("y").toFloatArray();
    }
  }
}
