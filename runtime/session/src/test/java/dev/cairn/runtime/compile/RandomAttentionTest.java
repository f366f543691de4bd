package dev.cairn.runtime.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attention of random extents, scales and masks, as exporters write it: as one step it is what it is as written. */
class RandomAttentionTest {
  private static final int[] EXTENTS = {1, 2, 3, 5, 8, 17, 33};

  /** A model of attention over operands of three or four axes, and what goes into it. */
  private static final class Case {
    private final SplittableRandom random;
    private final GraphFixture of = new GraphFixture();
    private final Map<String, Tensor> inputs = new HashMap<>();
    private final int[] outer;
    private final int queries;
    private final int keys;

    Case(int rank, long seed) {
      random = new SplittableRandom(31 * seed + rank);
      outer = rank == 3 ? new int[] {extent()} : new int[] {1 + random.nextInt(3), 1 + random.nextInt(3)};
      queries = extent();
      keys = random.nextBoolean() ? queries : extent();
    }

    private int extent() {
      return EXTENTS[random.nextInt(EXTENTS.length)];
    }

    /** The outer extents, some of them 1 where it may stretch, and these. */
    private long[] extents(boolean stretches, int... inner) {
      long[] all = new long[outer.length + inner.length];
      for (int i = 0; i < all.length; i++) {
        int extent = i < outer.length ? outer[i] : inner[i - outer.length];
        all[i] = stretches && random.nextInt(3) == 0 ? 1 : extent;
      }
      return all;
    }

    private NodeEntry input(String name, boolean flags, long... extents) {
      Shape shape = Shape.of(extents);
      int count = Math.toIntExact(shape.elementCount());
      if (flags) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
          values[i] = (byte) (random.nextInt(4) == 0 ? 0 : 1);
        }
        inputs.put(name, Tensor.copyOf(new TensorView(new TensorType(DType.BOOL, shape), MemorySegment.ofArray(
          values))));
        return of.input(name, "bool[" + shape + "]");
      }
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) random.nextGaussian();
      }
      inputs.put(name, Tensor.of(values, extents));
      return of.input(name, "float32[" + shape + "]");
    }

    private NodeEntry product() {
      int size = extent();
      NodeEntry q = input("q", false, extents(false, queries, size));
      boolean isWritten = random.nextBoolean();
      NodeEntry k = isWritten
        ? of.apply("kt", outer.length == 1 ? "Transpose{perm=[0,2,1]}" : "Transpose{perm=[0,1,3,2]}", input("k",
          false, extents(false, keys, size)))
        : input("k", false, extents(false, size, keys));
      NodeEntry product = of.apply("p", "MatMul", q, k);
      NodeEntry number = of.constant("number", TensorView.ofFloats(Shape.of(1), 0.5f + random.nextInt(4)));
      return switch (random.nextInt(4)) {
        case 0 -> product;
        case 1 -> of.apply("scaled", "Mul", number, product);
        case 2 -> of.apply("scaled", "Mul", product, number);
        default -> of.apply("scaled", "Div", product, number);
      };
    }

    /** Added, of axes that may be missing from the left. */
    private NodeEntry added(NodeEntry scores) {
      long[] all = extents(true, queries, keys);
      int missing = random.nextInt(all.length);
      long[] extents = Arrays.copyOfRange(all, missing, all.length);
      return of.apply("added", "Add", scores, input("mask", false, extents));
    }

    private NodeEntry leftOut(NodeEntry scores) {
      NodeEntry far = of.constant("far", TensorView.ofFloats(Shape.of(1), -1e9f));
      return of.apply("leftOut", "Where", input("flags", true, extents(true, queries, keys)), scores, far);
    }

    private NodeEntry causal(NodeEntry scores) {
      byte[] counts = new byte[queries * keys];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = (byte) (i % keys <= i / keys ? 1 : 0);
      }
      NodeEntry triangle = of.constant("triangle", new TensorView(TensorType.of(DType.BOOL, queries, keys),
        MemorySegment.ofArray(counts)));
      NodeEntry far = of.constant("behind", TensorView.ofFloats(Shape.of(1), random.nextBoolean()
        ? -1e9f
        : Float.NEGATIVE_INFINITY));
      return of.apply("causal", "Where", triangle, scores, far);
    }

    Graph model() {
      NodeEntry scores = product();
      scores = switch (random.nextInt(7)) {
        case 0 -> scores;
        case 1 -> added(scores);
        case 2 -> leftOut(scores);
        case 3 -> causal(scores);
        case 4 -> added(causal(scores));
        case 5 -> causal(added(scores));
        default -> leftOut(causal(scores));
      };
      NodeEntry shares = of.apply("w", random.nextBoolean()
        ? "Softmax"
        : "Softmax{axis=%d}".formatted(outer.length
          + 1),
        scores);
      return of.graph(of.apply("y", "MatMul", shares, input("v", false, extents(false, keys, extent()))));
    }
  }

  private static float[] run(Graph model, Map<String, Tensor> inputs, boolean attention) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withAttention(
      attention));
    try (Session session = Session.of(model, options); Result result = session.run(inputs)) {
      assertEquals(attention ? 1 : 0, session.compiled().orElseThrow().storage().steps().stream().filter(it -> it
        .operator().equals("Attention")).count(), () -> model.toString());
      return result.get("y").toFloatArray();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void asOneStepItIsWhatItIsAsWritten(int rank) {
    check(rank, 40);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  @Tag("soak")
  void asOneStepVeryManyAreWhatTheyAreAsWritten(int rank) {
    check(rank, 1_500);
  }

  private static void check(int rank, int cases) {
    for (long seed = 0; seed < cases; seed++) {
      var one = new Case(rank, seed);
      Graph model = one.model();
      float[] expected = run(model, one.inputs, false);
      float[] actual = run(model, one.inputs, true);
      assertEquals(expected.length, actual.length);
      for (int i = 0; i < expected.length; i++) {
        // Values are about 1, and their means are no greater.
        int element = i;
        long of = seed;
        assertEquals(expected[i], actual[i], 2e-5, () -> "seed=%d element=%d\n%s".formatted(of, element, model));
      }
      one.inputs.values().forEach(Tensor::close);
    }
  }
}
