package dev.cairn.kernels.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.TestTensors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorViewTest {

  @Test
  void theSegmentIsAsLongAsTheTensor() {
    var type = TensorType.of(DType.FLOAT32, 3);
    assertThatThrownBy(() -> new TensorView(type, MemorySegment.ofArray(new byte[13])))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("type=float32[3] bytes=12 segmentBytes=13");
    assertThatThrownBy(() -> new TensorView(type, MemorySegment.ofArray(new byte[11])))
      .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TensorView(type, MemorySegment.ofArray(new float[3])).reshaped(Shape.of(4)))
      .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void smallNumbersAreReadBack(DType dtype) {
    double zero = dtype == DType.FLOAT8E8M0 ? 0x1p-127 : 0;
    int one = dtype == DType.INT2 ? -1 : 1;
    TensorView x = TestTensors.of(dtype, Shape.of(2, 2), 0, one, one, 0);
    assertThat(TestTensors.doubles(x)).containsExactly(zero, one, one, zero);
    if (!dtype.isReal()) {
      assertThat(x.toLongArray()).containsExactly(0, one, one, 0);
    }
  }

  @Test
  void extremesOfWholeNumbers() {
    for (DType dtype : DType.values()) {
      if (!dtype.isInteger() && !dtype.isNarrowInteger()) {
        continue;
      }
      long ones = TestTensors.ofLongs(dtype, Shape.of(1), -1).longAt(0);
      int bits = dtype.bits();
      // Unsigned 64-bit numbers wrap, as the view says.
      assertThat(ones).as(dtype.toString()).isEqualTo(dtype.isUnsigned() && bits < 64 ? (1L << bits) - 1 : -1);
      long high = 1L << (bits - 1);
      long read = TestTensors.ofLongs(dtype, Shape.of(1), high).longAt(0);
      assertThat(read).as(dtype.toString()).isEqualTo(dtype.isUnsigned() || bits == 64 ? high : -high);
    }
  }

  @Test
  void realNumbersAreExact() {
    assertThat(TestTensors.of(DType.FLOAT64, Shape.of(1), Math.PI).doubleAt(0)).isEqualTo(Math.PI);
    assertThat(TestTensors.of(DType.FLOAT32, Shape.of(1), Math.PI).doubleAt(0)).isEqualTo((float) Math.PI);
    assertThat(TestTensors.of(DType.FLOAT16, Shape.of(2), 65504, 0x1p-24).doubleAt(1)).isEqualTo(0x1p-24);
    assertThat(TestTensors.of(DType.BFLOAT16, Shape.of(1), -0x1.02p100).doubleAt(0)).isEqualTo(-0x1.02p100);
    double[] special = {Double.NaN, Double.NEGATIVE_INFINITY, -0.0};
    for (DType dtype : new DType[] {DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64}) {
      assertThat(TestTensors.doubles(TestTensors.of(dtype, Shape.of(3), special))).as(dtype.toString())
        .containsExactly(special);
    }
  }

  @Test
  void realNumbersAreNoWholeNumbers() {
    var x = TensorView.ofFloats(Shape.of(1), 1);
    assertThatThrownBy(() -> x.longAt(0)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("dtype=float32");
  }

  @Test
  void viewsOverHeapMemoryAreCopies() {
    long[] values = {3, -4};
    TensorView x = TensorView.ofLongs(values);
    values[0] = 9;
    assertThat(x.toLongArray()).containsExactly(3, -4);
    assertThat(TensorView.ofLong(7).shape()).isEqualTo(Shape.SCALAR);
    assertThat(TensorView.ofLong(7).longAt(0)).isEqualTo(7);
    assertThatThrownBy(() -> TensorView.ofFloats(Shape.of(2), 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingIsReadOutsideOrAfterwards() {
    var x = TestTensors.counting(DType.INT16, Shape.of(3));
    assertThatThrownBy(() -> x.longAt(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> x.longAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    TensorView gone;
    try (var arena = Arena.ofConfined()) {
      gone = new TensorView(TensorType.of(DType.INT8, 1), arena.allocate(1));
    }
    assertThatThrownBy(() -> gone.longAt(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reshapingKeepsTheBytes() {
    var x = TestTensors.counting(DType.INT32, Shape.of(2, 3));
    assertThat(x.reshaped(Shape.of(6)).segment()).isSameAs(x.segment());
    assertThat(x.reshaped(Shape.of(3, 2)).type()).isEqualTo(TensorType.of(DType.INT32, 3, 2));
    assertThat(x).hasToString("view of int32[2x3]");
  }
}
