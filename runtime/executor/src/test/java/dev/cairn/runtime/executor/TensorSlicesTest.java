package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slices of every element type, also those that begin and end within a byte. */
class TensorSlicesTest {
  private static TensorView random(DType dtype, Shape shape) {
    var type = new TensorType(dtype, shape);
    byte[] bytes = new byte[Math.toIntExact(type.bytes())];
    new Random(5).nextBytes(bytes);
    return new TensorView(type, MemorySegment.ofArray(bytes));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void slicesAreReadAndWritten(DType dtype) {
    TensorView whole = random(dtype, Shape.of(3, 5, 3));
    for (int axis = 0; axis < 3; axis++) {
      TensorView made = random(dtype, Shape.of(3, 5, 3));
      made.segment().fill((byte) 0);
      for (long index = 0; index < whole.shape().extent(axis); index++) {
        TensorView slice = random(dtype, whole.shape().with(axis, 1));
        TensorSlices.read(whole, axis, index, slice, TensorSlices.Copy.ON_HOST);
        long first = index * whole.shape().elementCount(axis + 1, 3);
        assertThat(Double.compare(slice.doubleAt(0), whole.doubleAt(first))).isZero();
        TensorSlices.write(made, axis, index, slice, TensorSlices.Copy.ON_HOST);
      }
      for (long i = 0; i < whole.elementCount(); i++) {
        assertThat(Double.compare(made.doubleAt(i), whole.doubleAt(i))).as("%s axis %d", dtype, axis).isZero();
      }
    }
  }
}
