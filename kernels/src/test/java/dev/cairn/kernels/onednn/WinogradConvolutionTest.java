package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Convolutions of plans by Winograd's algorithm, beside the portable kernel. */
class WinogradConvolutionTest implements Rounds {
  private static final PointwiseProgram RELU = new PointwiseProgram(List.of(new Step("Relu", Attributes.NONE,
    DType.FLOAT32, List.of(new Input(0)))), List.of(0));

  private final OneDnnFixture fixture = new OneDnnFixture();

  @AfterEach
  void nothingIsHeld() {
    fixture.close();
    assertEquals(0, fixture.calls.live());
  }

  /** A convolution of random numbers. */
  private record Case(TensorView x, TensorView w, @Nullable TensorView bias, Attributes attributes, TensorType result) {
    KernelSignature signature() {
      TensorType last = x.type().withShape(ChannelsLast.of(x.shape()));
      return bias == null
        ? KernelSignature.of(List.of(last, w.type()), List.of(made()), attributes)
        : KernelSignature.of(List.of(last, w.type(), bias.type()), List.of(made()), attributes);
    }

    private TensorType made() {
      return result.withShape(ChannelsLast.of(result.shape()));
    }
  }

  private Case random(long images, int channels, int filters, long[] pixels, long... pads) {
    Attributes attributes = Attributes.NONE.with("pads", AttributeValue.Ints.of(pads));
    long rows = pixels[0] + pads[0] + pads[2] - 2;
    long columns = pixels[1] + pads[1] + pads[3] - 2;
    TensorView weights = atOddAddress(fixture.random(filters, channels, 3, 3));
    return new Case(fixture.random(images, channels, pixels[0], pixels[1]), weights,
      filters % 32 == 0 ? fixture.random(filters) : null, attributes, TensorType.of(DType.FLOAT32, images, filters,
        rows, columns));
  }

  /** The same tensor at an odd address, where weights of a mapped file may lie. */
  private static TensorView atOddAddress(TensorView view) {
    MemorySegment memory = Arena.ofAuto().allocate(view.type().bytes() + 1, 64).asSlice(1);
    memory.copyFrom(view.segment());
    return new TensorView(view.type(), memory);
  }

  private boolean isTaken(Case one) {
    KernelRow row = new KernelCatalog(fixture.one.rows()).find("ConvNhwc", one.signature()).orElseThrow();
    return row.kernel().planned(one.signature(), Set.of(1, 2)).kernel() instanceof WinogradConvolution;
  }

  private void check(Case one) {
    // Transforms multiply rounding errors by up to 100.
    int length = (int) (9 * one.x().shape().extent(1)) * 8;
    assertTrue(fixture.checkChannelsLast("Conv", one.attributes(), one.result(), length, one.x(), one.w(), one.bias()));
    @Nullable
    TensorView[] operands = new TensorView[FusedProduct.OPERANDS];
    operands[0] = one.x();
    operands[1] = one.w();
    operands[2] = one.bias();
    assertTrue(fixture.checkChannelsLast(FusedProduct.OPERATOR, new FusedProduct("Conv", one.attributes(), RELU).all(),
      one.result(), length, operands));
  }

  @Test
  void awkwardSizesPaddingAndBatches() {
    // There are so many tiles that each thread computes several blocks.
    int channelsOfMany = rounds(2) * 64;
    for (Case one : List.of(random(1, 16, 16, new long[] {13, 14}, 1, 1, 1, 1), random(1, 32, 48, new long[] {15,
      17}, 0, 0, 0, 0), random(5, 16, 32, new long[] {9, 8}, 0, 2, 1, 0), random(2, 48, 64,
        new long[] {12,
          29},
        2, 2, 2, 2),
      random(1, 16, 80, new long[] {61, 7}, 1, 1, 1, 1), random(3, channelsOfMany, channelsOfMany, new long[] {30,
        31}, 1, 1, 1, 1))) {
      assertTrue(isTaken(one), () -> one.x().type() + " " + one.attributes());
      check(one);
    }
  }

  @Test
  void whereTooLittleWouldBeSavedTheDirectAlgorithmServes() {
    assertFalse(isTaken(random(1, 16, 16, new long[] {7, 7}, 1, 1, 1, 1)), "few tiles");
    assertFalse(isTaken(random(16, 16, 16, new long[] {5, 5}, 1, 1, 1, 1)), "tiles that are half empty");
    assertFalse(isTaken(random(1, 20, 16, new long[] {28, 28}, 1, 1, 1, 1)), "no whole vectors of channels");
    Case strided = random(1, 16, 16, new long[] {28, 28}, 1, 1, 1, 1);
    assertFalse(isTaken(new Case(strided.x(), strided.w(), null, strided.attributes().with("strides",
      AttributeValue.Ints.of(2, 2)), strided.result().withShape(Shape.of(1, 16, 14, 14)))), "strides");
    KernelRow row = new KernelCatalog(fixture.one.rows()).find("ConvNhwc", strided.signature()).orElseThrow();
    assertFalse(row.kernel().planned(strided.signature(), Set.of()).kernel() instanceof WinogradConvolution, "weights");
  }

  /** The figure that docs/performance.md states. */
  @Test
  void errorsAreSmallBesideTheRange() {
    Case one = random(1, 512, 32, new long[] {16, 16}, 1, 1, 1, 1);
    KernelRow row = new KernelCatalog(fixture.one.rows()).find("ConvNhwc", one.signature()).orElseThrow();
    assertTrue(isTaken(one));
    TensorView last = TestTensors.random(DType.FLOAT32, ChannelsLast.of(one.x().shape()), new Random(3));
    TensorView result = fixture.packed(row, one.signature(), last, one.w(), one.bias());
    double range = 0;
    double error = 0;
    for (int pixel = 0; pixel < 16 * 16; pixel++) {
      for (int k = 0; k < 32; k++) {
        double exact = exact(last, one.w(), pixel / 16, pixel % 16, k) + at(one.bias(), k);
        range = Math.max(range, Math.abs(exact));
        error = Math.max(error, Math.abs(exact - at(result, pixel * 32 + k)));
      }
    }
    assertTrue(error <= 1e-5 * range, "error=" + error + " range=" + range);
  }

  private static double exact(TensorView x, TensorView w, int row, int column, int k) {
    double sum = 0;
    for (int i = 0; i < 9; i++) {
      int y = row + i / 3 - 1;
      int z = column + i % 3 - 1;
      if (y >= 0 && y < 16 && z >= 0 && z < 16) {
        for (int c = 0; c < 512; c++) {
          sum += at(x, (y * 16 + z) * 512 + c) * at(w, (k * 512 + c) * 9 + i);
        }
      }
    }
    return sum;
  }

  private static double at(@Nullable TensorView view, long index) {
    return view == null ? 0 : view.segment().getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, index);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whicheverCallFailsNothingIsHeld(int threads) {
    Case one = random(1, 16, 16, new long[] {24, 24}, 1, 1, 1, 1);
    assertEquals(threads, WinogradShape.of(Images.CHANNELS_LAST.plain(one.signature())).orElseThrow().lanes(threads));
    TensorView last = fixture.random(1, 24, 24, 16);
    int held = fixture.calls.live();
    int failures = 0;
    for (boolean done = false; !done; failures++) {
      try (OneDnnProvider fresh = fixture.provider(threads)) {
        KernelRow row = new KernelCatalog(fresh.rows()).rows("ConvNhwc").getFirst();
        fixture.calls.failAt(failures);
        try {
          fixture.packed(row, one.signature(), last, one.w());
          done = fixture.calls.made.size() <= failures;
        } catch (OneDnnFailure e) {
          assertTrue(String.valueOf(e.getMessage()).contains("out_of_memory"), String.valueOf(e.getMessage()));
        } finally {
          fixture.calls.failAt(-1);
        }
      }
      assertEquals(held, fixture.calls.live(), "after the failure of call " + failures);
    }
    assertTrue(failures > 20, "calls: " + failures);
  }

  @Test
  void threadsShareTilesUnlessWeightsAreMoreThanWhatTheyWouldExchange() {
    // Layers of SqueezeNet and VGG-19.
    assertEquals(2, shape(16, 55, 64).lanes(2));
    assertEquals(2, shape(64, 224, 64).lanes(2));
    assertEquals(1, shape(64, 224, 64).lanes(1));
    assertEquals(1, shape(48, 13, 192).lanes(2));
    assertEquals(1, shape(512, 14, 512).lanes(2));
    assertEquals(1, shape(16, 28, 16).lanes(4), "too few tiles for each of four");
    for (WinogradShape one : List.of(shape(16, 55, 64), shape(64, 224, 64), shape(16, 27, 32))) {
      for (int lanes = 1; lanes < 4; lanes++) {
        assertTrue(one.tilesOfBlock(lanes) * lanes <= one.tiles() + lanes);
        assertTrue(one.tilesOfBlock(lanes) > 0);
      }
    }
  }

  private static WinogradShape shape(int channels, int side, int filters) {
    return new WinogradShape(1, channels, side, side, filters, 1, 1, side, side);
  }

  @Test
  void plansForAllShapesShareTheWeights() {
    Case small = random(1, 16, 64, new long[] {16, 16}, 1, 1, 1, 1);
    Case large = random(2, 16, 64, new long[] {40, 24}, 1, 1, 1, 1);
    KernelCatalog kernels = new KernelCatalog(fixture.one.rows());
    var first = kernels.find("ConvNhwc", small.signature()).orElseThrow().kernel().planned(small.signature(), Set.of(
      1)).packed();
    var second = kernels.find("ConvNhwc", large.signature()).orElseThrow().kernel().planned(large.signature(), Set.of(
      1)).packed();
    assertEquals(first, second);
    assertEquals(List.of(1), List.copyOf(first.keySet()));
  }
}
