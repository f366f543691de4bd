package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * Makes a kernel for {@code float16} and {@code bfloat16} of one for {@code float32}: operands of a half type are
 * widened, and half results are rounded once.
 */
public final class HalfStorage extends ConvertedStorage {
  private final Conversion widening;
  private final Conversion narrowing;

  /** Converts {@code count} elements from element {@code first} on; one side has the half type. */
  public interface Conversion {
    void convert(DType half, MemorySegment source, MemorySegment target, long first, long count);
  }

  /** @param float32Kernel the kernel that does the work; sees {@code float32} wherever the call has a half type */
  public HalfStorage(Kernel float32Kernel) {
    this(float32Kernel, HalfNumber::widen, HalfNumber::narrow);
  }

  /**
   * Like {@link #HalfStorage(Kernel)}, with other conversions.
   *
   * @param widening with the results of {@link HalfNumber#widen}
   * @param narrowing with the results of {@link HalfNumber#narrow}
   */
  public HalfStorage(Kernel float32Kernel, Conversion widening, Conversion narrowing) {
    super(float32Kernel);
    this.widening = widening;
    this.narrowing = narrowing;
  }

  @Override
  TensorType converted(TensorType type) {
    return type.dtype().isHalf() ? type.withDType(DType.FLOAT32) : type;
  }

  @Override
  void load(TensorView from, TensorView converted, long first, long end) {
    widening.convert(from.dtype(), from.segment(), converted.segment(), first, end - first);
  }

  @Override
  void store(TensorView converted, TensorView to, long first, long end) {
    narrowing.convert(to.dtype(), converted.segment(), to.segment(), first, end - first);
  }
}
