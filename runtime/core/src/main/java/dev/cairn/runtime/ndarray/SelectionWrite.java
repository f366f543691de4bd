package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.StridedAssign;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.runtime.expression.Selection;
import java.lang.ref.Reference;
import java.util.List;

/** Writes a value into an array: into selected elements, or into all. */
final class SelectionWrite {
  private SelectionWrite() {}

  /** @throws IllegalArgumentException when the value does not broadcast to what is selected */
  static void push(ArrayRuntime runtime, NDArray target, NDArray value, Selection selection) {
    target.requireWritable(List.of(value));
    Layout from = layout(target, value, selection);
    boolean overlaps = value.range().overlaps(target.range());
    // What overlaps is copied first: elements would be read after they have been overwritten.
    NDArray read = overlaps ? value.copy() : value;
    try {
      ArrayRange source = read.range();
      ArrayRange written = target.range();
      boolean isWhole = selection.shape().elementCount() == target.shape().elementCount();
      Runnable work = () -> StridedAssign.run(runtime.device().stream(), source.view(), from, written.taken(), selection
        .offset(), selection.layout());
      runtime.invoker().pushes().push("set", new ArrayRange[] {source}, new ArrayRange[] {written}, work, isWhole);
    } finally {
      if (overlaps) {
        read.close();
      }
      Reference.reachabilityFence(value);
      Reference.reachabilityFence(target);
    }
  }

  /** Overwrites the whole array; who follows the thread's calls may answer that. */
  static void copy(NDArray target, NDArray source) {
    if (!source.shape().equals(target.shape())) {
      throw new IllegalArgumentException("shapes differ: array=%s other=%s".formatted(target.type(), source.type()));
    }
    if (source.range().equals(target.range())) {
      return;
    }
    CallFollower follower = FollowedCalls.follower();
    if (follower == null || !follower.copies(target, source)) {
      Attributes attributes = Attributes.NONE.with("to", new AttributeValue.Text(target.dtype().toString()));
      FollowedCalls.unfollowed(() -> target.runtime().invoker().applyInto(target, "Cast", attributes, List.of(source),
        true));
    }
  }

  private static Layout layout(NDArray target, NDArray value, Selection selection) {
    if (value.dtype() != target.dtype()) {
      throw new IllegalArgumentException("element types differ: array=%s value=%s; convert with astype".formatted(target
        .type(), value.type()));
    }
    try {
      return Layout.rowMajor(value.shape()).broadcastTo(selection.shape());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the value does not broadcast to what is selected: array=%s selected=%s "
        .formatted(target.type(), selection.shape()) + "value=" + value.type(), e);
    }
  }
}
