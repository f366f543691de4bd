package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code ReduceSum} and the other operators that begin with {@code Reduce}. Defaults are those of
 * ONNX operator set 22.
 *
 * @param keepsAxes attribute {@code keepdims}, by default 1: whether reduced axes stay with extent 1
 * @param isNoneOfNone attribute {@code noop_with_empty_axes}, by default 0: whether no axes mean none instead of all
 */
public record ReductionForm(boolean keepsAxes, boolean isNoneOfNone) {
  public static ReductionForm of(Attributes attributes) {
    return new ReductionForm(attributes.getFlag("keepdims", true), attributes.getFlag("noop_with_empty_axes", false));
  }
}
