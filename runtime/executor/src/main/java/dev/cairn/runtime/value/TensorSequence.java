package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import java.util.Arrays;
import java.util.List;

/**
 * Tensors of one element type, whose shapes may differ: an ONNX sequence. A sequence that is an input owns nothing, so
 * the caller closes its tensors. The tensors of an output belong to the {@link Result}.
 *
 * @param dtype the element type of all tensors; an empty sequence has one, too
 */
public record TensorSequence(DType dtype, List<Tensor> tensors) implements Value {
  public TensorSequence {
    tensors = List.copyOf(tensors);
    for (int i = 0; i < tensors.size(); i++) {
      if (tensors.get(i).dtype() != dtype) {
        throw new IllegalArgumentException("tensors of one sequence have one element type: sequence=%s tensor%d=%s"
          .formatted(dtype, i, tensors.get(i).type()));
      }
    }
  }

  /** A sequence of at least one tensor. */
  public static TensorSequence of(Tensor first, Tensor... others) {
    Tensor[] all = new Tensor[others.length + 1];
    all[0] = first;
    System.arraycopy(others, 0, all, 1, others.length);
    return new TensorSequence(first.dtype(), Arrays.asList(all));
  }
}
