package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;

/** Makes a kernel that moves elements of fewer than 8 bits of one that moves bytes. */
public final class PackedStorage extends ConvertedStorage {
  /** @param byteKernel the kernel that does the work; sees {@code uint8} wherever the call has a packed type */
  public PackedStorage(Kernel byteKernel) {
    super(byteKernel);
  }

  @Override
  TensorType converted(TensorType type) {
    return type.dtype().isPacked() ? type.withDType(DType.UINT8) : type;
  }

  @Override
  void load(TensorView from, TensorView converted, long first, long end) {
    NarrowElements.unpack(from, converted.segment(), first, end);
  }

  @Override
  void store(TensorView converted, TensorView to, long first, long end) {
    NarrowElements.pack(converted.segment(), to, first, end);
  }
}
