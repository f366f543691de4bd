package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kernel of oneDNN's against the portable one. */
class OneDnnKernelsTest implements Rounds {
  private final OneDnnFixture fixture = new OneDnnFixture();
  private final Random random = new Random(5);
  private int lastServed;

  @AfterEach
  void nothingIsHeld() {
    fixture.close();
    assertEquals(0, fixture.calls.live());
  }

  private static Attributes window(long[] strides, long[] pads, long[] dilations, long group) {
    return Attributes.NONE.with("strides", AttributeValue.Ints.of(strides)).with("pads", AttributeValue.Ints.of(pads))
      .with("dilations", AttributeValue.Ints.of(dilations)).with("group", group);
  }

  private boolean convolve(Attributes attributes, Shape input, Shape weights, boolean bias) {
    SlidingWindow window = SlidingWindow.ofWeights(attributes, input, weights);
    TensorType output = fixture.type(window.outputShape(input.extent(0), weights.extent(0)).extents());
    TensorView x = fixture.random(input.extents());
    TensorView w = fixture.random(weights.extents());
    long length = weights.elementCount() / Math.max(1, weights.extent(0));
    TensorView b = bias ? fixture.random(weights.extent(0)) : null;
    if (input.rank() == ChannelsLast.RANK) {
      lastServed += fixture.checkChannelsLast("Conv", attributes, output, length, x, w, b) ? 1 : 0;
    }
    return fixture.check("Conv", attributes, output, length, x, w, b);
  }

  private long upTo(int most) {
    return 1L + random.nextInt(most);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void convolutionsOfAwkwardSizes(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    for (int round = 0; round < rounds(24); round++) {
      long group = random.nextInt(3) == 0 ? upTo(3) : 1;
      long channels = random.nextBoolean() ? upTo(5) : 16 * upTo(3);
      long filters = group * (random.nextBoolean() ? upTo(7) : 16 * upTo(2));
      Attributes attributes = window(new long[] {upTo(3), upTo(3)}, new long[] {random.nextInt(3), random.nextInt(3),
        random.nextInt(3), random.nextInt(3)}, new long[] {upTo(2), upTo(2)}, group);
      Shape input = Shape.of(random.nextBoolean() ? 1 : 5, group * channels, 5 + upTo(12), 5 + upTo(12));
      Shape weights = Shape.of(filters, channels, upTo(3), upTo(3));
      served += convolve(attributes, input, weights, random.nextBoolean()) ? 1 : 0;
    }
    assertTrue(served >= rounds(12), "oneDNN served " + served);
    assertTrue(lastServed >= rounds(12), "oneDNN served with channels last " + lastServed);
  }

  private long[] numbers(int count, int most) {
    return random.longs(count, 1, most + 1L).toArray();
  }

  private static Shape shape(long first, long second, long[] axes) {
    return Shape.of(LongStream.concat(LongStream.of(first, second), LongStream.of(axes)).toArray());
  }

  /** Signals and volumes; a single channel that many windows read, too. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void convolutionsOverOtherAxes(int axes) {
    int served = 0;
    int transposedServed = 0;
    for (int round = 0; round < rounds(24); round++) {
      long group = random.nextInt(3) == 0 ? upTo(3) : 1;
      long channels = random.nextBoolean() ? upTo(2) : 16 * upTo(2);
      long filters = group * (random.nextBoolean() ? upTo(7) : 16 * upTo(2));
      long[] strides = numbers(axes, 3);
      long[] pads = random.longs(2L * axes, 0, 3).toArray();
      Attributes attributes = window(strides, pads, numbers(axes, 2), group);
      Shape input = shape(random.nextBoolean() ? 1 : 5, group * channels, random.longs(axes, 6, 12).toArray());
      Shape weights = shape(filters, channels, numbers(axes, 3));
      served += convolve(attributes, input, weights, random.nextBoolean()) ? 1 : 0;
      TensorView h = fixture.random(SlidingWindow.ofWeights(attributes, input, weights).outputShape(input.extent(0),
        filters).extents());
      Attributes further = attributes.with("output_padding", AttributeValue.Ints.of(Arrays.stream(strides).map(
        it -> random.nextInt((int) it)).toArray()));
      Shape spread = TransposedWindow.of(further, h.shape(), weights).outputShape(input.extent(0), group * channels);
      TensorView bias = random.nextBoolean() ? fixture.random(group * channels) : null;
      transposedServed += fixture.check("ConvTranspose", further, new TensorType(DType.FLOAT32, spread), filters
        * weights.elementCount(2, weights.rank()), h, fixture.random(weights.extents()), bias) ? 1 : 0;
    }
    assertTrue(served >= rounds(12), "oneDNN served " + served);
    assertTrue(transposedServed >= rounds(4), "oneDNN served transposed " + transposedServed);
  }

  @Test
  void gradientsOfConvolutions() {
    int weightsServed = 0;
    int inputsServed = 0;
    for (int round = 0; round < rounds(12); round++) {
      long group = random.nextInt(3) == 0 ? upTo(3) : 1;
      long channels = random.nextBoolean() ? upTo(5) : 16 * upTo(2);
      long filters = group * (random.nextBoolean() ? upTo(7) : 16 * upTo(2));
      long[] strides = {upTo(3), upTo(3)};
      Attributes attributes = window(strides, new long[] {random.nextInt(3), random.nextInt(3), random.nextInt(3),
        random.nextInt(3)}, new long[] {upTo(2), upTo(2)}, group);
      Shape input = Shape.of(random.nextBoolean() ? 1 : 5, group * channels, 5 + upTo(12), 5 + upTo(12));
      Shape weights = Shape.of(filters, channels, upTo(3), upTo(3));
      TensorView x = fixture.random(input.extents());
      TensorView h = fixture.random(SlidingWindow.ofWeights(attributes, input, weights).outputShape(input.extent(0),
        filters).extents());
      Attributes kernel = attributes.with("kernel_shape", AttributeValue.Ints.of(weights.extent(2), weights.extent(3)));
      weightsServed += fixture.check("ConvWeightGradient", kernel, new TensorType(DType.FLOAT32, weights), h
        .elementCount() / filters, x, h) ? 1 : 0;
      TensorView w = fixture.random(weights.extents());
      TensorView bias = random.nextBoolean() ? fixture.random(group * channels) : null;
      Attributes further = attributes.with("output_padding", AttributeValue.Ints.of(random.nextInt((int) strides[0]),
        random.nextInt((int) strides[1])));
      Shape spread = TransposedWindow.of(further, h.shape(), weights).outputShape(input.extent(0), group * channels);
      inputsServed += fixture.check("ConvTranspose", further, new TensorType(DType.FLOAT32, spread), filters * weights
        .elementCount(2, 4), h, w, bias) ? 1 : 0;
      lastServed += fixture.checkChannelsLast("ConvTranspose", further, new TensorType(DType.FLOAT32, spread), filters
        * weights.elementCount(2, 4), h, w, bias) ? 1 : 0;
    }
    assertTrue(lastServed >= rounds(4), "oneDNN served with channels last " + lastServed);
    assertTrue(weightsServed >= rounds(8), "oneDNN served gradients of weights " + weightsServed);
    assertTrue(inputsServed >= rounds(4), "oneDNN served gradients of inputs " + inputsServed);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void convolutionsOfOneElement(DType dtype) {
    fixture.computeIn(dtype);
    Attributes plain = window(new long[] {1, 1}, new long[4], new long[] {1, 1}, 1);
    assertTrue(convolve(plain, Shape.of(1, 64, 14, 14), Shape.of(32, 64, 1, 1), true));
    assertTrue(convolve(plain, Shape.of(5, 3, 7, 9), Shape.of(17, 3, 1, 1), false));
    convolve(plain, Shape.of(1, 2, 1, 1), Shape.of(1, 2, 1, 1), true);
  }

  /** Channels each by itself: of images with short rows. */
  @Test
  void channelsByThemselves() {
    for (int round = 0; round < rounds(8); round++) {
      long channels = random.nextBoolean() ? upTo(7) : 16 * upTo(2);
      Attributes attributes = window(numbers(2, 2), random.longs(4, 0, 3).toArray(), numbers(2, 2), channels);
      assertTrue(convolve(attributes, shape(upTo(2), channels, random.longs(2, 6, 32).toArray()), shape(channels, 1,
        numbers(2, 4)), random.nextBoolean()) || channels == 1);
    }
  }

  @Test
  void otherConvolutionsAreNotServed() {
    Attributes plain = Attributes.NONE;
    assertFalse(convolve(plain, Shape.of(0, 3, 4, 4), Shape.of(2, 3, 1, 1), false));
    assertFalse(convolve(plain, Shape.of(1, 3, 4, 4, 4, 4), Shape.of(2, 3, 1, 1, 1, 1), false));
    assertFalse(convolve(Attributes.NONE.with("group", 8), Shape.of(1, 8, 9), Shape.of(8, 1, 3), false));
    assertFalse(convolve(Attributes.NONE.with("group", 8), Shape.of(1, 8, 4, 40), Shape.of(8, 1, 3, 3), false));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void productsOfMatrices(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    for (int round = 0; round < rounds(30); round++) {
      long rows = upTo(70);
      long depth = upTo(200);
      long columns = upTo(90);
      long batch = upTo(3);
      boolean tall = random.nextBoolean();
      TensorView left = switch (random.nextInt(3)) {
        case 0 -> fixture.random(rows, depth);
        case 1 -> fixture.random(batch, rows, depth);
        default -> fixture.random(2, batch, rows, depth);
      };
      TensorView right = tall ? fixture.random(depth, columns) : fixture.random(batch, depth, columns);
      Shape leftBatch = Shape.of(Arrays.copyOf(left.shape().extents(), left.shape().rank() - 2));
      Shape rightBatch = tall ? Shape.SCALAR : Shape.of(batch);
      long[] all = leftBatch.broadcastWith(rightBatch).extents();
      long[] extents = Arrays.copyOf(all, all.length + 2);
      extents[all.length] = rows;
      extents[all.length + 1] = columns;
      served += fixture.check("MatMul", Attributes.NONE, fixture.type(extents), depth, left, right)
        ? 1
        : 0;
    }
    assertTrue(served >= rounds(15), "oneDNN served " + served);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void productsOfGemm(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    for (int round = 0; round < rounds(60); round++) {
      boolean transA = random.nextBoolean();
      boolean transB = random.nextBoolean();
      long rows = 5 + upTo(60);
      long depth = upTo(200);
      long columns = 5 + upTo(60);
      Attributes attributes = Attributes.NONE.with("transA", transA ? 1 : 0).with("transB", transB ? 1 : 0);
      TensorView a = transA ? fixture.random(depth, rows) : fixture.random(rows, depth);
      TensorView b = transB ? fixture.random(columns, depth) : fixture.random(depth, columns);
      TensorType output = fixture.type(rows, columns);
      served += switch (round % 3) {
        case 0 -> fixture.check("Gemm", attributes, output, depth, a, b);
        case 1 -> fixture.check("Gemm", attributes, output, depth + 1, a, b, fixture.random(columns));
        default -> fixture.check("Gemm", attributes, output, depth + 1, a, b, fixture.random(1, columns));
      } ? 1 : 0;
    }
    assertTrue(served >= rounds(30), "oneDNN served " + served);
    TensorView square = fixture.random(40, 40);
    assertFalse(fixture.check("Gemm", Attributes.NONE.with("alpha", new AttributeValue.Real(2)), square.type(), 40,
      square, square));
    assertFalse(fixture.check("Gemm", Attributes.NONE, square.type(), 40, square, square, fixture.random(40, 1)));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void pools(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    for (int round = 0; round < rounds(80); round++) {
      long[] kernel = {upTo(3), upTo(3)};
      long[] pads = {random.nextInt((int) kernel[0]), random.nextInt((int) kernel[1]), random.nextInt((int) kernel[0]),
        random.nextInt((int) kernel[1])};
      Attributes attributes = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(kernel)).with("strides",
        AttributeValue.Ints.of(upTo(3), upTo(3))).with("pads", AttributeValue.Ints.of(pads));
      if (round % 2 == 1 && random.nextBoolean()) {
        attributes = attributes.with("count_include_pad", 1);
      }
      TensorView x = fixture.random(random.nextBoolean() ? 1 : 5, random.nextBoolean() ? upTo(5) : 16 * upTo(3), 5
        + upTo(12), 5 + upTo(12));
      TensorType output = fixture
        .type(SlidingWindow.of(attributes, x.shape(), kernel).outputShape(x.shape().extent(0), x
          .shape().extent(1)).extents());
      String operator = round % 2 == 0 ? "MaxPool" : "AveragePool";
      served += fixture.check(operator, attributes, output, 9, x) ? 1 : 0;
      lastServed += fixture.checkChannelsLast(operator, attributes, output, 9, x) ? 1 : 0;
    }
    assertTrue(served >= rounds(40), "oneDNN served " + served);
    assertTrue(lastServed >= rounds(15), "oneDNN served with channels last " + lastServed);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void maximaOfWindowsKeepNan(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    int lastServed = 0;
    for (int round = 0; round < rounds(20); round++) {
      long[] kernel = {upTo(3), upTo(3)};
      Attributes attributes = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(kernel)).with("strides",
        AttributeValue.Ints.of(upTo(2), upTo(3))).with("pads",
          AttributeValue.Ints.of(random.nextInt((int) kernel[0]),
            random.nextInt((int) kernel[1]), random.nextInt((int) kernel[0]), random.nextInt((int) kernel[1])));
      TensorView x = fixture.random(upTo(3), random.nextBoolean() ? upTo(5) : 16 * upTo(3), 5 + upTo(12), 5 + upTo(
        12));
      for (int i = 0; i < 5; i++) {
        Elements.write(new double[] {Double.NaN}, x, random.nextInt((int) x.elementCount()), 1);
      }
      TensorType output = fixture.type(SlidingWindow.of(attributes, x.shape(), kernel).outputShape(x.shape().extent(0),
        x.shape().extent(1)).extents());
      served += fixture.check("MaxPool", attributes, output, 1, x) ? 1 : 0;
      lastServed += fixture.checkChannelsLast("MaxPool", attributes, output, 1, x) ? 1 : 0;
    }
    assertTrue(served >= rounds(10), "oneDNN served " + served);
    assertTrue(lastServed >= rounds(5), "oneDNN served with channels last " + lastServed);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void volumes(DType dtype) {
    fixture.computeIn(dtype);
    int convolved = 0;
    int pooled = 0;
    for (int round = 0; round < rounds(20); round++) {
      long groups = round % 3 == 0 ? 2 : 1;
      long channels = groups * upTo(random.nextBoolean() ? 3 : 17);
      TensorView x = fixture.random(upTo(2), channels, 3 + upTo(4), 3 + upTo(5), 3 + upTo(6));
      TensorView w = fixture.random(groups * upTo(9), channels / groups, upTo(3), upTo(3), upTo(3));
      Attributes attributes = Attributes.NONE.with("group", groups).with("pads", AttributeValue.Ints.of(random.nextInt(
        2), random.nextInt(2), random.nextInt(2), random.nextInt(2), random.nextInt(2), random.nextInt(2))).with(
          "strides", AttributeValue.Ints.of(upTo(2), upTo(2), upTo(2)));
      TensorType y = fixture
        .type(SlidingWindow.ofWeights(attributes, x.shape(), w.shape()).outputShape(x.shape().extent(
          0), w.shape().extent(0)).extents());
      convolved += fixture.check("Conv", attributes, y, channels * 27, x, w, fixture.random(w.shape().extent(0)))
        ? 1
        : 0;
      Attributes pool = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(2, upTo(3), 2)).with("strides",
        AttributeValue.Ints.of(upTo(2), 1, upTo(2)));
      TensorType pooledType = fixture.type(SlidingWindow.ofPool(pool, x.shape()).outputShape(x.shape().extent(0), x
        .shape().extent(1)).extents());
      Elements.write(new double[] {Double.NaN}, x, random.nextInt((int) x.elementCount()), 1);
      pooled += fixture.check("MaxPool", pool, pooledType, 1, x) ? 1 : 0;
      pooled += fixture.check("AveragePool", pool, pooledType, 27, x) ? 1 : 0;
    }
    assertTrue(convolved >= rounds(10), "oneDNN convolved " + convolved);
    assertTrue(pooled >= rounds(20), "oneDNN pooled " + pooled);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void convolutionsOfEachChannelByItself(DType dtype) {
    fixture.computeIn(dtype);
    for (int round = 0; round < rounds(20); round++) {
      long channels = random.nextBoolean() ? upTo(7) : 16 * upTo(3);
      Attributes attributes = window(new long[] {upTo(2), upTo(2)}, new long[] {1, 1, 1, 1}, new long[] {1, 1},
        channels);
      convolve(attributes, Shape.of(upTo(2), channels, 5 + upTo(12), 5 + upTo(12)), Shape.of(channels, 1, 3, 3), random
        .nextBoolean());
    }
    assertTrue(lastServed >= rounds(10), "oneDNN served " + lastServed);
  }

  @Test
  void localResponseNormalization() {
    for (int round = 0; round < rounds(20); round++) {
      TensorView x = fixture.random(upTo(2), random.nextBoolean() ? upTo(9) : 16 * upTo(3), upTo(9), upTo(9));
      Attributes attributes = Attributes.NONE.with("size", 1 + 2L * random.nextInt(4)).with("alpha",
        new AttributeValue.Real(0.5f)).with("bias", new AttributeValue.Real(1.5f));
      fixture.check("LRN", attributes, x.type(), 9, x);
      lastServed += fixture.checkChannelsLast("LRN", attributes, x.type(), 9, x) ? 1 : 0;
    }
    assertTrue(lastServed >= rounds(5), "oneDNN served " + lastServed);
    TensorView x = fixture.random(1, 16, 4, 4);
    assertFalse(fixture.check("LRN", Attributes.NONE.with("size", 4), x.type(), 9, x), "an even window");
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void softmaxOfRows(DType dtype) {
    fixture.computeIn(dtype);
    for (long columns : new long[] {256, 257, 1000}) {
      TensorView x = fixture.random(3, 2, columns);
      assertTrue(fixture.check("Softmax", Attributes.NONE, x.type(), columns, x));
      assertTrue(fixture.check("Softmax", Attributes.NONE.with("axis", 2), x.type(), columns, x));
      assertFalse(fixture.check("Softmax", Attributes.NONE.with("axis", 1), x.type(), columns, x), "another axis");
    }
    TensorView few = fixture.random(3, 4);
    assertFalse(fixture.check("Softmax", Attributes.NONE, few.type(), 4, few), "few elements");
  }

  /** One of them, or all of a row. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void softmaxOfRowsWithNanAndInfinities(DType dtype) {
    fixture.computeIn(dtype);
    double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int round = 0; round < rounds(48); round++) {
      int columns = 24 + random.nextInt(70);
      TensorView x = fixture.random(1, 12, columns);
      int changed = round % 4 == 0 ? columns : (int) upTo(3);
      long row = (long) random.nextInt(12) * columns;
      for (int i = 0; i < changed; i++) {
        TestTensors.set(x, row + (round % 4 == 0 ? i : random.nextInt(columns)), odd[round % odd.length]);
      }
      assertTrue(fixture.check("Softmax", Attributes.NONE, x.type(), columns, x));
    }
  }

  /** Heads that lie apart, and heads side by side in a row, with numbers of which no sum is one. */
  @Test
  void attentionOfNanAndInfinities() {
    Attributes plain = Attributes.NONE.with(AttentionHeads.NAN_WHEN_MASKED, 1);
    float[] odd = {Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 1e38f, -1e38f, 1e-42f};
    for (int round = 0; round < rounds(36); round++) {
      long heads = upTo(4);
      long queries = 40 + upTo(20);
      TensorView q = fixture.random(2, heads, queries, 32);
      TensorView k = fixture.random(2, heads, 60, 32);
      TensorView v = fixture.random(2, heads, 60, 24);
      TensorView changed = new TensorView[] {q, k, v}[random.nextInt(3)];
      TestTensors.set(changed, random.nextInt((int) changed.elementCount()), odd[round % odd.length]);
      assertTrue(fixture.check("Attention", plain, TensorType.of(DType.FLOAT32, 2, heads, queries, 24), 92, q, k, v));
      Attributes merged = plain.with("q_num_heads", heads).with("kv_num_heads", heads);
      assertTrue(fixture.check("Attention", merged, TensorType.of(DType.FLOAT32, 2, queries, heads * 24), 92, q
        .reshaped(Shape.of(2, queries, heads * 32)), k.reshaped(Shape.of(2, 60, heads * 32)),
        v.reshaped(Shape.of(2,
          60, heads * 24))));
    }
  }

  /** Heads apart, and heads that lie side by side in a row. */
  @Test
  void attentionWithoutMasks() {
    Attributes plain = Attributes.NONE.with(AttentionHeads.NAN_WHEN_MASKED, 1).with("scale", new AttributeValue.Real(
      0.1f));
    for (int round = 0; round < rounds(12); round++) {
      long batch = upTo(2);
      long heads = 1 + upTo(3);
      long queries = 16 + upTo(70);
      long keys = 40 + upTo(70);
      long size = 8L * upTo(6);
      long valueSize = round % 2 == 0 ? size : 8 + upTo(40);
      TensorView q = fixture.random(batch, heads, queries, size);
      TensorView k = fixture.random(batch, heads, keys, size);
      TensorView v = fixture.random(batch, heads, keys, valueSize);
      TensorType y = TensorType.of(DType.FLOAT32, batch, heads, queries, valueSize);
      boolean isServed = batch * heads * queries * keys * (size + valueSize) >= 1 << 18;
      assertEquals(isServed, fixture.check("Attention", plain, y, size + keys, q, k, v));
      Attributes merged = plain.with("q_num_heads", heads).with("kv_num_heads", heads);
      assertEquals(isServed, fixture.check("Attention", merged, TensorType.of(DType.FLOAT32, batch, queries, heads
        * valueSize), size + keys, q.reshaped(Shape.of(batch, queries, heads * size)), k.reshaped(
          Shape.of(batch, keys,
            heads * size)),
        v.reshaped(Shape.of(batch, keys, heads * valueSize))));
      lastServed += isServed ? 1 : 0;
      assertFalse(fixture.check("Attention", plain.with("is_causal", 1), y, keys, q, k, v), "a mask");
      assertFalse(fixture.check("Attention", Attributes.NONE, y, keys, q, k, v), "nothing is left of no keys");
    }
    assertTrue(lastServed >= rounds(6), "oneDNN served " + lastServed);
  }
}
