package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The classes that judge results in these tests find the differences that they are made to find. */
class ClosenessTest {
  private static final Closeness CLOSENESS = new Closeness(1e-3, 1e-7);

  @ParameterizedTest
  @CsvSource({"1, 1.0009", "-1000, -1000.9", "0, 0.9e-7", "NaN, NaN", "Infinity, Infinity", "0, -0.0", "1e-8, -5e-8"})
  void isNear(float wanted, float given) {
    assertTrue(CLOSENESS.difference(scalar(wanted), scalar(given)).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"1, 1.0011", "-1000, -1001.1", "0, 2e-7", "NaN, 0", "0, NaN", "Infinity, 3e38", "3e38, Infinity",
    "Infinity, -Infinity", "1, -1"})
  void isNotNear(float wanted, float given) {
    assertFalse(CLOSENESS.difference(scalar(wanted), scalar(given)).isEmpty());
  }

  @Test
  void wholeNumbersMustBeEqual() {
    assertTrue(CLOSENESS.difference(TensorView.ofLongs(10_000, 5), TensorView.ofLongs(10_000, 5)).isEmpty());
    assertEquals("element 0 of int64[2]: 10001 instead of 10000",
      CLOSENESS.difference(TensorView.ofLongs(10_000, 5), TensorView.ofLongs(10_001, 5)).orElse(""));
  }

  @Test
  void typesMustBeEqual() {
    assertFalse(CLOSENESS.difference(TensorView.ofLongs(1), TensorView.ofLong(1)).isEmpty());
    assertFalse(CLOSENESS.difference(TensorView.ofLong(1), scalar(1)).isEmpty());
  }

  @Test
  void errorIsMeasuredByTheRange() {
    RangeError error = RangeError.of(floats(-1, 3, 1), floats(-1, 3.5f, 1));
    assertEquals(0.5, error.largest());
    assertEquals(0.125, error.relative());
    assertTrue(error.isTelling());
  }

  @Test
  void numbersThatAreAllAlikeTellNothing() {
    assertFalse(RangeError.of(floats(2, 2, 2), floats(2, 2, 2)).isTelling());
    assertFalse(RangeError.of(floats(100, 100.1f, 100.2f), floats(100, 100.1f, 100.2f)).isTelling());
    assertFalse(RangeError.of(floats(1, Float.NaN, 3), floats(1, 2, 3)).isTelling());
    assertFalse(RangeError.of(floats(1, 2, 3), floats(1, Float.NaN, 3)).relative() <= SameFile.MOST);
    assertThrows(AssertionError.class, () -> RangeError.of(floats(1, 2), floats(1, 2, 3)));
  }

  private static TensorView scalar(float value) {
    return TensorView.ofFloats(Shape.SCALAR, value);
  }

  private static TensorView floats(float... values) {
    return TensorView.ofFloats(Shape.of(values.length), values);
  }
}
