package dev.cairn.kernels.attribute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.attribute.SlidingWindow.Axis;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlidingWindowTest {
  private static Attributes attributes(Map<String, AttributeValue> values) {
    return Attributes.of(values);
  }

  private static AttributeValue ints(long... values) {
    return AttributeValue.Ints.of(values);
  }

  private static SlidingWindow line(long extent, long kernel, Map<String, AttributeValue> values) {
    return SlidingWindow.of(attributes(values), Shape.of(1, 1, extent), new long[] {kernel});
  }

  @Test
  void defaultsAreNoPaddingAndStepsOfOne() {
    var window = SlidingWindow.of(Attributes.NONE, Shape.of(2, 3, 5, 7), new long[] {3, 2});
    assertEquals(List.of(new Axis(3, 1, 0, 0, 1, 3), new Axis(2, 1, 0, 0, 1, 6)), window.axes());
    assertEquals(Shape.of(2, 8, 3, 6), window.outputShape(2, 8));
  }

  @Test
  void padsAreAllBeginsThenAllEnds() {
    var window = SlidingWindow.of(
      attributes(Map.of("pads", ints(1, 2, 3, 4), "strides", ints(2, 3), "dilations", ints(2, 1))),
      Shape.of(1, 1, 10, 10), new long[] {3, 3});
    assertEquals(List.of(new Axis(3, 2, 1, 3, 2, 5), new Axis(3, 3, 2, 4, 1, 5)), window.axes());
  }

  @Test
  void sameUpperPadsTheOddElementAfterAndSameLowerBefore() {
    var upper = line(5, 2, Map.of("auto_pad", new AttributeValue.Text("SAME_UPPER")));
    var lower = line(5, 2, Map.of("auto_pad", new AttributeValue.Text("SAME_LOWER")));
    assertEquals(new Axis(2, 1, 0, 1, 1, 5), upper.axes().getFirst());
    assertEquals(new Axis(2, 1, 1, 0, 1, 5), lower.axes().getFirst());
  }

  @Test
  void sameNeedsNoPaddingWhenTheStrideIsLargerThanTheKernel() {
    var window = line(5, 1, Map.of("auto_pad", new AttributeValue.Text("SAME_UPPER"), "strides", ints(3)));
    assertEquals(new Axis(1, 3, 0, 0, 1, 2), window.axes().getFirst());
  }

  @Test
  void validHasNoPaddingWhateverPadsSay() {
    var window = line(5, 3, Map.of("auto_pad", new AttributeValue.Text("VALID"), "pads", ints(1, 1)));
    assertEquals(new Axis(3, 1, 0, 0, 1, 3), window.axes().getFirst());
  }

  @Test
  void roundingUpAddsAWindowUnlessItWouldStartInTheEndPadding() {
    Map<String, AttributeValue> up = Map.of("strides", ints(2), "pads", ints(0, 0), "ceil_mode",
      new AttributeValue.Int(1));
    assertEquals(2, line(4, 3, up).outputExtent(0));
    Map<String, AttributeValue> padded = Map.of("strides", ints(3), "pads", ints(0, 1), "ceil_mode",
      new AttributeValue.Int(1));
    // Windows at 0, 3 and 6; that at 6 lies within the input of 7, but starts in the padding of an input of 6.
    assertEquals(3, line(7, 1, padded).outputExtent(0));
    assertEquals(2, line(6, 1, padded).outputExtent(0));
  }

  /** Invariants: every window counted is there, no more fit, and taps agree with a search over all of them. */
  @Test
  void agreesWithCountingWindowsOneByOne() {
    var random = new Random(7);
    for (int round = 0; round < 5_000; round++) {
      int extent = 1 + random.nextInt(20);
      int kernel = 1 + random.nextInt(5);
      int stride = 1 + random.nextInt(4);
      int dilation = 1 + random.nextInt(3);
      int begin = random.nextInt(4);
      int end = random.nextInt(4);
      boolean up = random.nextBoolean();
      Map<String, AttributeValue> values = Map.of("strides", ints(stride), "dilations", ints(dilation), "pads",
        ints(begin, end), "ceil_mode", new AttributeValue.Int(up ? 1 : 0));
      int reach = (kernel - 1) * dilation + 1;
      int padded = extent + begin + end;
      // With rounding up, the last window may reach beyond the padding by less than a stride, also if it is the only
      // window.
      if (up ? padded <= reach - stride : padded < reach) {
        assertThrows(IllegalArgumentException.class, () -> line(extent, kernel, values));
        continue;
      }
      int count = 0;
      for (int start = 0; start + reach <= padded; start += stride) {
        count++;
      }
      boolean more = up && Math.floorMod(padded - reach, stride) != 0;
      count += more && count * stride < begin + extent ? 1 : 0;
      // Where padding is wider than the window, even the last whole window may start in it.
      count -= up && !more && (count - 1) * stride >= begin + extent ? 1 : 0;
      SlidingWindow window = line(extent, kernel, values);
      assertEquals(count, window.outputExtent(0), values::toString);
      for (int output = 0; output < count; output++) {
        checkTaps(window, extent, output);
      }
    }
  }

  private static void checkTaps(SlidingWindow window, int extent, int output) {
    int inside = 0;
    for (int tap = 0; tap < window.kernel(0); tap++) {
      int at = window.start(0, output) + tap * window.dilation(0);
      boolean isInside = at >= 0 && at < extent;
      inside += isInside ? 1 : 0;
      assertEquals(isInside, tap >= window.firstTap(0, output) && tap < window.endTap(0, output, extent));
    }
    assertEquals(inside, window.endTap(0, output, extent) - window.firstTap(0, output));
  }

  @Test
  void badAttributesAreNamed() {
    check("strides", Map.of("strides", ints(0)));
    check("strides", Map.of("strides", ints(1, 1)));
    check("dilations", Map.of("dilations", ints(-1)));
    check("pads", Map.of("pads", ints(1)));
    check("pads", Map.of("pads", ints(-1, 0)));
    check("auto_pad", Map.of("auto_pad", new AttributeValue.Text("SAME")));
    check("kernel_shape", Map.of("kernel_shape", ints(4)));
    check("strides", Map.of("strides", ints(1L << 40)));
  }

  private static void check(String name, Map<String, AttributeValue> values) {
    var thrown = assertThrows(IllegalArgumentException.class, () -> line(5, 3, values));
    assertTrue(String.valueOf(thrown.getMessage()).contains(name), thrown::getMessage);
  }

  /** An untrusted model has them; in an int the place of a window would wrap round. */
  @Test
  void positionsThatAnIntDoesNotCountAreRefused() {
    long most = Integer.MAX_VALUE;
    check("positions=", Map.of("dilations", ints(most)));
    check("windows=", Map.of("pads", ints(most, most)));
    check("positions=", Map.of("pads", ints(0, most), "strides", ints(1L << 30)));
    assertEquals(most - 14, line(5, 3, Map.of("pads", ints(most, most), "strides", ints(most - 7))).start(0, 2));
    check("positions=", Map.of("auto_pad", new AttributeValue.Text("SAME_UPPER"), "dilations", ints(most)));
  }

  @Test
  void shapesWithoutSpatialAxesAndKernelsOfOtherRankAreRefused() {
    assertThrows(IllegalArgumentException.class,
      () -> SlidingWindow.of(Attributes.NONE, Shape.of(1, 1), new long[0]));
    assertThrows(IllegalArgumentException.class,
      () -> SlidingWindow.of(Attributes.NONE, Shape.of(1, 1, 5), new long[] {3, 3}));
    assertThrows(IllegalArgumentException.class,
      () -> SlidingWindow.of(Attributes.NONE, Shape.of(1, 1, 5), new long[] {0}));
    assertThrows(IllegalArgumentException.class,
      () -> SlidingWindow.of(Attributes.NONE, Shape.of(1, 1, 5), new long[] {6}));
  }
}
