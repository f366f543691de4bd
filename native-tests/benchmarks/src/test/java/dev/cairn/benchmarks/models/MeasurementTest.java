package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  private static final Measurement ONE = new Measurement(EngineChoice.ORT, 1, 22, 333, 4444, 55555, new OutputDigest(
    0.1234567890123, 6));

  @Test
  void isReadBackFromItsLineAmongOthers() {
    assertEquals(ONE, Measurement.find(List.of("something else", ONE.toString(), "")));
  }

  @Test
  void noneOrTwoOrADamagedOneAreRefused() {
    assertThrows(IllegalStateException.class, () -> Measurement.find(List.of("nothing")));
    assertThrows(IllegalStateException.class, () -> Measurement.find(List.of(ONE.toString(), ONE.toString())));
    assertThrows(IllegalStateException.class, () -> Measurement.find(List.of("measured engine=ort openNanos=1")));
  }

  @Test
  void digestsSeeOtherValuesAndOtherCounts() {
    OutputDigest some = digest(1, -2, 3, Float.NaN);
    assertEquals(new OutputDigest(2, 1), some);
    assertTrue(some.agreesWith(digest(1.0005f, -2, 3, Float.POSITIVE_INFINITY)));
    assertFalse(some.agreesWith(digest(1.1f, -2, 3, Float.NaN)));
    assertFalse(some.agreesWith(digest(1, -2, 3, 2)));
    assertFalse(digest(0).agreesWith(digest(1e-30f)));
    assertTrue(digest(0).agreesWith(digest(0, 0)));
    assertEquals(new OutputDigest(0, 2), digest(Float.NaN, Float.NEGATIVE_INFINITY));
    assertThrows(IllegalArgumentException.class,
      () -> OutputDigest.of(List.of(StringElements.of(List.of("a")))));
    assertEquals(new OutputDigest(3, 0), OutputDigest.of(List.of(new TensorView(TensorType.of(DType.INT8, 1),
      MemorySegment.ofArray(new byte[] {-3})))));
  }

  private static OutputDigest digest(float... values) {
    return OutputDigest.of(List.of(TensorView.ofFloats(Shape.of(values.length), values)));
  }
}
