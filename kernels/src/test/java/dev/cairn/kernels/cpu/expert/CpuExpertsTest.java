package dev.cairn.kernels.cpu.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.ByHand;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ExpertForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Layers of experts, compared with sums over all experts that are written out. */
class CpuExpertsTest {
  private static final int TOKENS = 5;
  private static final int EXPERTS = 4;
  private static final int WIDTH = 16;
  private static final int INNER = 8;
  private static final int CHOSEN = 2;

  private final Random random = new Random(11);

  private double[] reals(int count) {
    return random.doubles(count, -1, 1).toArray();
  }

  private static double[] softmax(double[] scores) {
    double sum = Arrays.stream(scores).map(Math::exp).sum();
    return Arrays.stream(scores).map(it -> Math.exp(it) / sum).toArray();
  }

  /** For each token the shares of all experts, 0 for those that it does not take. */
  private static double[] shares(double[] scores, double[] given, boolean isNormalized) {
    double[] shares = new double[TOKENS * EXPERTS];
    for (int token = 0; token < TOKENS; token++) {
      double[] own = Arrays.copyOfRange(scores, token * EXPERTS, (token + 1) * EXPERTS);
      double[] soft = softmax(own);
      double least = Arrays.stream(own).sorted().toArray()[EXPERTS - CHOSEN];
      double sum = 0;
      for (int expert = 0; expert < EXPERTS; expert++) {
        double share = given.length == 0 ? soft[expert] : given[token * EXPERTS + expert];
        shares[token * EXPERTS + expert] = own[expert] >= least ? share : 0;
        sum += shares[token * EXPERTS + expert];
      }
      for (int expert = 0; isNormalized && expert < EXPERTS; expert++) {
        shares[token * EXPERTS + expert] /= sum;
      }
    }
    return shares;
  }

  private static double dot(double[] a, int first, double[] b, int other, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += a[first + i] * b[other + i];
    }
    return sum;
  }

  /** {@code gate * sigmoid(gate) * linear}, whose gates come first. */
  private static double[] layer(double[] x, double[] shares, double[] first, double[] second) {
    double[] sums = new double[TOKENS * WIDTH];
    for (int token = 0; token < TOKENS; token++) {
      for (int expert = 0; expert < EXPERTS; expert++) {
        double[] inner = new double[INNER];
        for (int i = 0; i < INNER; i++) {
          double gate = dot(x, token * WIDTH, first, (expert * 2 * INNER + i) * WIDTH, WIDTH);
          double linear = dot(x, token * WIDTH, first, (expert * 2 * INNER + INNER + i) * WIDTH, WIDTH);
          inner[i] = gate / (1 + Math.exp(-gate)) * linear;
        }
        for (int i = 0; i < WIDTH; i++) {
          sums[token * WIDTH + i] += shares[token * EXPERTS + expert] * dot(inner, 0, second, (expert * WIDTH + i)
            * INNER, INNER);
        }
      }
    }
    return sums;
  }

  private static Attributes attributes(boolean isNormalized) {
    return ByHand.text("activation_type", "swiglu").with("swiglu_fusion", 2).with("k", CHOSEN).with(
      "normalize_routing_weights", isNormalized ? 1 : 0);
  }

  @Test
  void realWeightsOfAllTypes() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16}) {
      TensorView x = TestTensors.of(dtype, Shape.of(TOKENS, WIDTH), reals(TOKENS * WIDTH));
      TensorView scores = TestTensors.of(dtype, Shape.of(TOKENS, EXPERTS), reals(TOKENS * EXPERTS));
      TensorView first = TestTensors.of(dtype, Shape.of(EXPERTS, 2 * INNER, WIDTH), reals(EXPERTS * 2 * INNER * WIDTH));
      TensorView second = TestTensors.of(dtype, Shape.of(EXPERTS, WIDTH, INNER), reals(EXPERTS * WIDTH * INNER));
      double[] found = TestTensors.doubles(ByHand.run("MoE", attributes(true), x.type(), x, scores, first, null,
        second));
      double[] wanted = layer(TestTensors.doubles(x), shares(TestTensors.doubles(scores), new double[0], true),
        TestTensors.doubles(first), TestTensors.doubles(second));
      assertThat(found).containsExactly(wanted, within(dtype == DType.FLOAT32 ? 1e-5 : 0.05));
    }
  }

  /** Packed weights, and what they mean. */
  private record Packed(TensorView bytes, TensorView scales, @Nullable TensorView zeros, double[] weights) {}

  private Packed packed(int rows, int columns, int bits, int block, boolean hasZeros) {
    int perByte = 8 / bits;
    int size = block == 0 ? columns : block;
    int blocks = columns / size;
    int lines = EXPERTS * rows;
    long[] codes = random.longs((long) lines * columns, 0, 1L << bits).toArray();
    float[] scales = new float[lines * blocks];
    for (int i = 0; i < scales.length; i++) {
      scales[i] = random.nextFloat(0.5f, 1) / (1 << bits);
    }
    // Zero points lie row behind row, or for each row block behind block: here both are full bytes.
    long[] zeros = random.longs(lines * blocks, 0, 1L << bits).toArray();
    double[] weights = new double[codes.length];
    for (int i = 0; i < codes.length; i++) {
      int line = i / columns;
      int at = line * blocks + i % columns / size;
      weights[i] = (codes[i] - (hasZeros ? zeros[at] : 1 << (bits - 1))) * (double) scales[at];
    }
    return new Packed(bytes(codes, bits, Shape.of(EXPERTS, rows, columns / perByte)), TensorView.ofFloats(Shape.of(
      scales.length), scales), hasZeros ? bytes(zeros, bits, Shape.of((long) zeros.length / perByte)) : null, weights);
  }

  private static TensorView bytes(long[] codes, int bits, Shape shape) {
    long[] bytes = new long[codes.length * bits / 8];
    for (int i = 0; i < codes.length; i++) {
      bytes[i * bits / 8] |= codes[i] << (i * bits % 8);
    }
    return TestTensors.ofLongs(DType.UINT8, shape, bytes);
  }

  @Test
  void quantizedWeightsWithAndWithoutBlocksZeroPointsAndShares() {
    for (int bits : new int[] {2, 4, 8}) {
      for (int block : new int[] {0, 2}) {
        for (boolean hasZeros : new boolean[] {false, true}) {
          Attributes attributes = attributes(false).with("expert_weight_bits", bits).with("block_size", block);
          double[] x = reals(TOKENS * WIDTH);
          double[] scores = reals(TOKENS * EXPERTS);
          double[] given = hasZeros ? reals(TOKENS * EXPERTS) : new double[0];
          Packed first = packed(2 * INNER, WIDTH, bits, block, hasZeros);
          Packed second = packed(WIDTH, INNER, bits, block, hasZeros);
          TensorView tokens = TestTensors.of(DType.FLOAT32, Shape.of(TOKENS, WIDTH), x);
          Shape routed = Shape.of(TOKENS, EXPERTS);
          double[] found = TestTensors.doubles(ByHand.run("QMoE", attributes, tokens.type(), tokens, TestTensors.of(
            DType.FLOAT32, routed, scores), first.bytes, first.scales, null, second.bytes, second.scales, null, null,
            null, null, first.zeros, second.zeros, null, hasZeros
              ? TestTensors.of(DType.FLOAT32, routed, given)
              : null));
          double[] wanted = layer(x, shares(scores, given, !hasZeros), first.weights, second.weights);
          assertThat(found).as("bits=%d block=%d zeros=%s", bits, block, hasZeros).containsExactly(wanted, within(
            1e-5));
        }
      }
    }
  }

  @Test
  void activations() {
    assertThat(activated("relu", -2)).isZero();
    assertThat(activated("identity", -2)).isEqualTo(-2);
    assertThat(activated("silu", 2)).isCloseTo(2 / (1 + Math.exp(-2)), within(1e-12));
    assertThat(activated("gelu", 1)).isCloseTo(0.8411919906082768, within(1e-7));
  }

  private static double activated(String activation, double x) {
    return ExpertForm.of(ByHand.text("activation_type", activation)).activated(x);
  }
}
