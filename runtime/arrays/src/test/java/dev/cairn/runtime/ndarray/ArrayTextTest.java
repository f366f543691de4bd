package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Scalars;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** golden texts. */
class ArrayTextTest {
  private static String floats(Shape shape, float... values) {
    return ArrayText.of(TensorView.ofFloats(shape, values));
  }

  private static String row(float... values) {
    return floats(Shape.of(values.length), values);
  }

  private static String scalar(DType dtype, Number value) {
    return ArrayText.of(Scalars.of(dtype, value));
  }

  @Test
  void columnsAreAlignedAtThePoint() {
    assertThat(floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6)).isEqualTo("[[1 2 3]\n [4 5 6]]");
    assertThat(floats(Shape.of(2, 2), 1, -20.5f, 0.125f, 3)).isEqualTo("[[  1     -20.5  ]\n [  0.125   3    ]]");
    assertThat(floats(Shape.of(2, 1, 2), 1, 2, 3, 4)).isEqualTo("[[[1 2]]\n\n [[3 4]]]");
  }

  @Test
  void atMostFourDigitsBehindThePoint() {
    assertThat(row(0.1f, 1 / 3f)).isEqualTo("[0.1    0.3333]");
    assertThat(row(2.00001f)).isEqualTo("[2]");
  }

  @Test
  void narrowTypesHaveTheFewestDigits() {
    assertThat(scalar(DType.FLOAT8E4M3FN, 0.3)).isEqualTo("0.3");
    assertThat(scalar(DType.FLOAT8E5M2, 57344)).isEqualTo("60000");
    assertThat(scalar(DType.FLOAT4E2M1, 1.5)).isEqualTo("1.5");
    assertThat(scalar(DType.INT4, -8)).isEqualTo("-8");
    assertThat(scalar(DType.UINT2, 3)).isEqualTo("3");
    assertThatThrownBy(() -> scalar(DType.INT4, 8)).hasMessageContaining("dtype=int4 value=8");
    assertThatThrownBy(() -> scalar(DType.FLOAT8E4M3FN, 500)).hasMessageContaining("dtype=float8e4m3fn value=500");
    assertThatThrownBy(() -> scalar(DType.FLOAT4E2M1, 5)).hasMessageContaining("value=5");
  }

  @Test
  void veryLargeAndVerySmallOnesAreScientific() {
    assertThat(row(50_000_000f)).isEqualTo("[50000000]");
    assertThat(row(1e8f, 1)).isEqualTo("[1e+08 1e+00]");
    assertThat(row(0.00005f, 1.5f)).isEqualTo("[5e-05   1.5e+00]");
    assertThat(row(0.0001f)).isEqualTo("[1e-04]");
    assertThat(row(0.00011f, 0)).isEqualTo("[0.0001 0     ]");
  }

  @Test
  void wordsForWhatIsNoNumber() {
    assertThat(row(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0f))
      .isEqualTo("[ nan  inf -inf   -0]");
    assertThat(scalar(DType.BOOL, 1)).isEqualTo("true");
    assertThat(scalar(DType.BOOL, 0)).isEqualTo("false");
  }

  @Test
  void wholeNumbersAndScalars() {
    assertThat(ArrayText.of(TensorView.ofLongs(1, -20, 300))).isEqualTo("[  1 -20 300]");
    assertThat(scalar(DType.UINT64, new BigInteger("18446744073709551615"))).isEqualTo("18446744073709551615");
    assertThat(scalar(DType.INT8, -128)).isEqualTo("-128");
    assertThat(floats(Shape.SCALAR, 1.5f)).isEqualTo("1.5");
  }

  @Test
  void noElements() {
    assertThat(floats(Shape.of(0))).isEqualTo("[]");
    assertThat(floats(Shape.of(3, 0, 2))).isEqualTo("[]");
  }

  @Test
  void halvesHaveTheFewestDigitsThatReadBack() {
    assertThat(scalar(DType.FLOAT16, 0.1)).isEqualTo("0.1");
    assertThat(scalar(DType.FLOAT16, 65504)).isEqualTo("65500");
    assertThat(scalar(DType.BFLOAT16, 3.14159)).isEqualTo("3.14");
    assertThat(scalar(DType.BFLOAT16, 1e30)).isEqualTo("1e+30");
    for (int bits = 1; bits < 0x7c00; bits += 7) {
      TensorView half = HeapTensor.allocate(TensorType.of(DType.FLOAT16));
      half.segment().set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) bits);
      double read = Double.parseDouble(ArrayText.of(half));
      assertThat(Float.floatToFloat16((float) read)).isEqualTo((short) bits);
    }
  }

  @Test
  void manyElementsAreCut() {
    float[] values = new float[1001];
    IntStream.range(0, values.length).forEach(i -> values[i] = i);
    assertThat(row(values)).isEqualTo("[   0    1    2 ...  998  999 1000]");
    assertThat(row(Arrays.copyOf(values, 1000))).doesNotContain("...");
    assertThat(floats(Shape.of(143, 7), values)).startsWith("[[   0    1    2 ...    4    5    6]\n [   7").contains(
      "\n ...\n [ 980").endsWith("1000]]");
  }

  @Test
  void doublesAreNotTakenForFloats() {
    var view = new TensorView(TensorType.of(DType.FLOAT64, 2), MemorySegment.ofArray(new double[] {1e300, -2.5}));
    assertThat(ArrayText.of(view)).isEqualTo("[ 1e+300  -2.5e+00]");
  }
}
