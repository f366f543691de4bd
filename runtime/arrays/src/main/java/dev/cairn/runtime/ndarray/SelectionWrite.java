package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.cpu.access.StridedAssign;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.expression.Selection;
import java.lang.ref.Reference;
import java.util.List;

/** Writes a value into an array: into selected elements, or into all. */
final class SelectionWrite {
  private SelectionWrite() {}

  /** @throws IllegalArgumentException when the value does not broadcast to what is selected */
  static void push(ArrayRuntime runtime, NDArray target, NDArray value, Selection selection) {
    target.requireWritable("set", List.of(value));
    Layout from = layout(target, value, selection);
    ArrayDevice device = target.range().storage().device;
    runtime.devices().requireOn(device, "set", new NDArray[] {value});
    if (!device.isHost()) {
      FollowedCalls.unfollowed(() -> setOnDevice(runtime, target, value, selection));
      return;
    }
    boolean overlaps = value.range().overlaps(target.range());
    // An overlapping value is copied first: otherwise elements would be read after they were overwritten.
    NDArray read = overlaps ? value.copy() : value;
    try {
      ArrayRange source = read.range();
      ArrayRange written = target.range();
      boolean isWhole = selection.shape().elementCount() == target.shape().elementCount();
      Runnable work = () -> StridedAssign.run(device.stream(), source.view(), from, written.taken(), selection.offset(),
        selection.layout());
      var touched = ArrayFootprint.of(new ArrayRange[] {written}, source);
      runtime.invoker().push(touched, Operation.of("set", touched.footprint(), work), isWhole);
    } finally {
      if (overlaps) {
        read.close();
      }
      Reference.reachabilityFence(value);
      Reference.reachabilityFence(target);
    }
  }

  /** Elements that lie one behind another are overwritten where they lie; others by way of a copy on the processor. */
  private static void setOnDevice(ArrayRuntime runtime, NDArray target, NDArray value, Selection selection) {
    if (selection.isContiguous() && selection.offset() % target.dtype().perByte() == 0) {
      try (NDArray place = target.viewedAs(target.type().withShape(selection.shape()), target.dtype().bytes(selection
        .offset()))) {
        runtime.invoker().applyInto(place, Operators.EXPAND, Attributes.NONE, List.of(value, runtime.constant(TensorView
          .ofLongs(selection.shape().extents()))), true);
      }
      return;
    }
    ArrayDevice host = runtime.devices().host();
    boolean isConstant = value.range().storage().isConstant;
    try (NDArray changed = DeviceCopies.copied(target, host);
      NDArray from = isConstant ? value.viewedAs(value.type(), 0) : DeviceCopies.copied(value, host)) {
      push(runtime, changed, from, selection);
      DeviceCopies.push(changed.range(), target.range());
    }
  }

  /** Overwrites the whole array; the follower of the thread's calls may answer that. */
  static void copy(NDArray target, NDArray source) {
    target.requireOpen("copyFrom");
    target.runtime().requireMine(source, "copyFrom");
    if (!source.shape().equals(target.shape())) {
      throw new IllegalArgumentException("shapes differ: operation=copyFrom array=%s other=%s; give it the array's "
        .formatted(target.type(), source.type()) + "shape with reshape or broadcastTo");
    }
    if (source.range().equals(target.range())) {
      return;
    }
    CallFollower follower = FollowedCalls.follower();
    if (follower != null && follower.copies(target, source)) {
      return;
    }
    ArrayDevice device = target.range().storage().device;
    boolean isElsewhere = !source.range().storage().device.equals(device);
    if (isElsewhere || (!device.isHost() && source.dtype() == target.dtype() && !source.range().overlaps(target
      .range()))) {
      target.requireWritable("copyFrom", List.of(source));
      FollowedCalls.unfollowed(() -> DeviceCopies.converted(source, target));
    } else {
      Attributes attributes = Attributes.NONE.with("to", new AttributeValue.Text(target.dtype().toString()));
      FollowedCalls
        .unfollowed(() -> target.runtime().invoker().applyInto(target, Operators.CAST, attributes, List.of(source),
          true));
    }
  }

  private static Layout layout(NDArray target, NDArray value, Selection selection) {
    if (value.dtype() != target.dtype()) {
      throw new IllegalArgumentException("element types differ: operation=set array=%s value=%s; convert with "
        .formatted(target.type(), value.type()) + "astype");
    }
    try {
      return Layout.rowMajor(value.shape()).broadcastTo(selection.shape());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the value does not broadcast to what is selected: operation=set array=%s "
        .formatted(target.type()) + "selected=%s value=%s; reshape it".formatted(selection.shape(), value.type()), e);
    }
  }
}
