package dev.cairn.runtime.value;

import java.util.List;

/** An input or output of a model: nearly always a {@link Tensor}. */
public sealed interface Value permits Tensor, TensorSequence, OptionalValue, TensorMap, TensorMap.Sequence {
  /** All tensors in this value: a tensor itself, the elements of a sequence, the tensors of an optional or of maps. */
  List<Tensor> tensors();
}
