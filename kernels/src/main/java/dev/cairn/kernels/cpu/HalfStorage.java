package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Makes a kernel for {@code float16} and {@code bfloat16} of one for {@code float32}: operands of a half type are
 * widened, and half results are rounded once.
 */
public final class HalfStorage extends ConvertedStorage {
  /** @param float32Kernel the kernel that does the work; sees {@code float32} wherever the call has a half type */
  public HalfStorage(Kernel float32Kernel) {
    super(float32Kernel);
  }

  @Override
  TensorType converted(TensorType type) {
    return type.dtype().isHalf() ? type.withDType(DType.FLOAT32) : type;
  }

  @Override
  void load(TensorView from, TensorView converted, long first, long end) {
    HalfNumber.widen(from.dtype(), from.segment(), converted.segment(), first, end - first);
  }

  @Override
  void store(TensorView converted, TensorView to, long first, long end) {
    HalfNumber.narrow(to.dtype(), converted.segment(), to.segment(), first, end - first);
  }
}
