package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;

/** Elements of maps as Java's objects. */
final class MapElements {
  private MapElements() {}

  static void requireKeys(Tensor keys) {
    if (keys.shape().rank() != 1 || (keys.dtype() != DType.STRING && keys.dtype() != DType.INT64)) {
      throw new IllegalArgumentException("keys of a map are a list of strings or of int64: keys=" + keys.type());
    }
  }

  static Object at(Tensor tensor, long index) {
    TensorView view = tensor.view();
    return view.dtype() == DType.STRING
      ? StringElements.at(view, index)
      : view.dtype().isFloat() ? (Object) view.doubleAt(index) : (Object) view.longAt(index);
  }
}
