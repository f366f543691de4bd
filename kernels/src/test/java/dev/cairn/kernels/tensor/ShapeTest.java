package dev.cairn.kernels.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** {@code Shape}, {@code Layout}, {@code DType} and {@code TensorType}. */
class ShapeTest {

  @Test
  void countsElements() {
    assertThat(Shape.of(2, 3, 4).elementCount()).isEqualTo(24);
    assertThat(Shape.of(2, 3, 4).elementCount(1, 3)).isEqualTo(12);
    assertThat(Shape.of(2, 3, 4).elementCount(1, 1)).isEqualTo(1);
    assertThat(Shape.SCALAR.elementCount()).isEqualTo(1);
    assertThat(Shape.of(5, 0, 7).elementCount()).isZero();
    assertThat(Shape.of()).isSameAs(Shape.SCALAR).hasToString("scalar");
    assertThat(Shape.of(1, 3, 224)).hasToString("1x3x224");
  }

  @Test
  void negativeAxesCountFromTheLast() {
    Shape shape = Shape.of(2, 3, 4);
    assertThat(shape.extent(-1)).isEqualTo(4);
    assertThat(shape.axis(-3)).isZero();
    assertThat(shape.with(-2, 9)).isEqualTo(Shape.of(2, 9, 4)).isNotEqualTo(shape);
    assertThatThrownBy(() -> shape.axis(3)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("axis=3 rank=3");
    assertThatThrownBy(() -> shape.axis(-4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Shape.SCALAR.axis(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void extentsAreChecked() {
    assertThatThrownBy(() -> Shape.of(2, -1)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("[2, -1]");
    assertThatThrownBy(() -> Shape.of(1L << 40, 1L << 40)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Shape.of(2).with(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nobodyChangesAShapeFromOutside() {
    long[] extents = {2, 3};
    Shape shape = Shape.of(extents);
    extents[0] = 9;
    shape.extents()[1] = 9;
    assertThat(shape).isEqualTo(Shape.of(2, 3)).hasSameHashCodeAs(Shape.of(2, 3));
  }

  @Test
  void broadcastsAsNumPy() {
    assertThat(Shape.of(2, 1, 4).broadcastWith(Shape.of(3, 1))).isEqualTo(Shape.of(2, 3, 4));
    assertThat(Shape.of(3, 1).broadcastWith(Shape.of(2, 1, 4))).isEqualTo(Shape.of(2, 3, 4));
    assertThat(Shape.SCALAR.broadcastWith(Shape.of(5))).isEqualTo(Shape.of(5));
    assertThat(Shape.of(1).broadcastWith(Shape.of(0))).isEqualTo(Shape.of(0));
    assertThat(Shape.SCALAR.broadcastWith(Shape.SCALAR)).isEqualTo(Shape.SCALAR);
    assertThatThrownBy(() -> Shape.of(2).broadcastWith(Shape.of(3))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("left=2 right=3");
    assertThatThrownBy(() -> Shape.of(2).broadcastWith(Shape.of(0))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void layoutsKnowTheirStrides() {
    Layout dense = Layout.rowMajor(Shape.of(2, 3, 4));
    assertThat(dense.strides()).containsExactly(12, 4, 1);
    Layout moved = dense.permuted(2, 0, 1);
    assertThat(moved.shape()).isEqualTo(Shape.of(4, 2, 3));
    assertThat(moved.strides()).containsExactly(1, 12, 4);
    assertThat(moved.stride(1)).isEqualTo(12);
    assertThat(Layout.rowMajor(Shape.SCALAR).strides()).isEmpty();
  }

  @Test
  void layoutsStretch() {
    Layout wide = Layout.rowMajor(Shape.of(3, 1)).broadcastTo(Shape.of(2, 3, 4));
    assertThat(wide.shape()).isEqualTo(Shape.of(2, 3, 4));
    assertThat(wide.strides()).containsExactly(0, 1, 0);
    assertThatThrownBy(() -> Layout.rowMajor(Shape.of(3)).broadcastTo(Shape.of(4)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("from=3 to=4");
  }

  /** Stretching to a shape of fewer axes is wrong use, and says so. */
  @Test
  void layoutsDoNotLoseAxes() {
    assertThatThrownBy(() -> Layout.rowMajor(Shape.of(1, 3)).broadcastTo(Shape.of(3)))
      .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void typesSayWhatTheyTake() {
    assertThat(TensorType.of(DType.FLOAT16, 3, 5).bytes()).isEqualTo(30);
    assertThat(TensorType.of(DType.INT64).bytes()).isEqualTo(8);
    assertThat(TensorType.of(DType.FLOAT32, 1, 3)).hasToString("float32[1x3]");
    assertThat(TensorType.of(DType.FLOAT32, 3).withDType(DType.BOOL).withShape(Shape.of(2)))
      .isEqualTo(TensorType.of(DType.BOOL, 2));
    assertThatThrownBy(() -> TensorType.of(DType.INT64, 1L << 61).bytes()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyElementTypeIsOfOneKind() {
    for (DType dtype : EnumSet.range(DType.FLOAT32, DType.UINT2)) {
      int kinds = (dtype.isFloat() ? 1 : 0) + (dtype.isInteger() ? 1 : 0) + (dtype == DType.BOOL ? 1 : 0)
        + (dtype.isNarrowFloat() ? 1 : 0) + (dtype.isNarrowInteger() ? 1 : 0);
      assertThat(kinds).as(dtype.toString()).isEqualTo(1);
      assertThat(dtype.isHalf()).isEqualTo(dtype.isFloat() && dtype.bits() == 16);
      assertThat(dtype.isUnsigned()).isEqualTo(dtype.name().startsWith("UINT"));
      assertThat(dtype.isNarrow()).isEqualTo(!DType.COMPUTED.contains(dtype));
      assertThat(dtype.isPacked()).isEqualTo(!DType.WHOLE_BYTES.contains(dtype)).isEqualTo(DType.PACKED.contains(
        dtype));
      String bits = dtype.toString().replaceAll("[^\\d]*(\\d*).*", "$1");
      assertThat(dtype.bits()).isEqualTo(bits.isEmpty() ? 8 : Integer.parseInt(bits));
    }
  }

  @Test
  void aPartOfAnEmptyShapeMayBeTooLarge() {
    Shape empty = Shape.of(0, 1L << 40, 1L << 40);
    assertThat(empty.elementCount()).isZero();
    assertThat(empty.elementCount(0, 2)).isZero();
    assertThatThrownBy(() -> empty.elementCount(1, 3)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("too many elements for a long");
  }

  @Test
  void packedElementsShareBytes() {
    assertThat(DType.INT4.bytes(0)).isZero();
    assertThat(DType.INT4.bytes(1)).isEqualTo(1);
    assertThat(DType.UINT4.bytes(5)).isEqualTo(3);
    assertThat(DType.INT2.bytes(5)).isEqualTo(2);
    assertThat(DType.FLOAT8E8M0.bytes(5)).isEqualTo(5);
    assertThat(TensorType.of(DType.FLOAT4E2M1, 3, 3).bytes()).isEqualTo(5);
    assertThat(TensorType.of(DType.INT4, Long.MAX_VALUE).bytes()).isEqualTo(1L << 62);
    assertThat(DType.INT2.elements(3)).isEqualTo(12);
    assertThat(DType.INT2.elements(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(DType.INT64.elements(17)).isEqualTo(2);
    assertThatThrownBy(DType.INT4::bytes).isInstanceOf(UnsupportedOperationException.class).hasMessageContaining(
      "dtype=int4 bits=4");
  }
}
