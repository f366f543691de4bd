package dev.cairn.kernels.onednn;

import java.util.List;

/** What a primitive does with each element of its result before it writes it, in this order. */
record PostOperations(List<Operation> operations) {
  static final PostOperations NONE = new PostOperations(List.of());

  /** One of them. */
  sealed interface Operation {
    /** {@code max(x, slope x)}. */
    record Relu(float slope) implements Operation {}

    /** Into a range. */
    record Clip(float least, float most) implements Operation {}

    /** {@code x + factor y}, where {@code y} is what the result's memory held. */
    record Sum(float factor) implements Operation {}
  }

  private static final int RELU = 32;
  private static final int CLIP = 46;
  private static final int SAME_TYPE = 0;

  PostOperations {
    operations = List.copyOf(operations);
  }

  boolean isEmpty() {
    return operations.isEmpty();
  }

  /** As oneDNN has them. */
  long made(NativeScope scope) {
    long made = scope.createNew("post_ops");
    for (Operation operation : operations) {
      switch (operation) {
        case Operation.Relu(float slope) -> eltwise(scope, made, RELU, slope, 0);
        case Operation.Clip(float least, float most) -> eltwise(scope, made, CLIP, least, most);
        case Operation.Sum(float factor) -> scope.calls().call("dnnl_post_ops_append_sum", made, factor, 0, SAME_TYPE);
      }
    }
    return made;
  }

  private static void eltwise(NativeScope scope, long made, int kind, float alpha, float beta) {
    scope.calls().call("dnnl_post_ops_append_eltwise", made, kind, alpha, beta);
  }
}
