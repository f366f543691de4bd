package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.cpu.access.StridedAssign;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.expression.Selection;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.Hold;

/** Writes a value into an array: into selected elements, or into all. The array may be written. */
public final class SelectionWrite {
  private final Invoker invoker;
  private final ArrayRange target;

  /** @param target the array that is written */
  public SelectionWrite(Invoker invoker, ArrayRange target) {
    this.invoker = invoker;
    this.target = target;
  }

  /** @throws IllegalArgumentException when the value does not broadcast to what is selected */
  public void set(ArrayRange value, Selection selection) {
    Layout from = layout(value, selection);
    ArrayDevice device = target.storage().device();
    invoker.requireOn(device, "set", value);
    if (!device.isHost()) {
      setOnDevice(value, selection);
      return;
    }
    // An overlapping value is copied first: otherwise elements would be read after they were overwritten.
    try (Hold copy = value.overlaps(target) ? invoker.cast(value, value.type().dtype()) : null) {
      ArrayRange source = copy == null ? value : copy;
      boolean isWhole = selection.shape().elementCount() == target.type().shape().elementCount();
      Runnable work = () -> StridedAssign.run(device.stream(), source.view(), from, target.taken(), selection.offset(),
        selection.layout());
      var touched = ArrayFootprint.of(new ArrayRange[] {target}, source);
      invoker.push(touched, Operation.of("set", touched.footprint(), work), isWhole);
    }
  }

  /** Elements that lie one behind another are overwritten where they lie; others by way of a copy on the processor. */
  private void setOnDevice(ArrayRange value, Selection selection) {
    DType dtype = target.type().dtype();
    if (selection.isContiguous() && selection.offset() % dtype.perByte() == 0) {
      try (Hold place = target.viewedAs(target.type().withShape(selection.shape()), dtype.bytes(selection.offset()))) {
        invoker.expandInto(place, value);
      }
      return;
    }
    ArrayDevice host = invoker.devices().host();
    try (Hold changed = invoker.copies().copied(target, host);
      Hold from = value.storage().isConstant()
        ? value.viewedAs(value.type(), 0)
        : invoker.copies().copied(value, host)) {
      new SelectionWrite(invoker, changed).set(from, selection);
      invoker.copies().push(changed, target);
    }
  }

  /** Overwrites the whole array with another of its shape, whose elements are converted. */
  public void copy(ArrayRange source) {
    ArrayDevice device = target.storage().device();
    boolean isElsewhere = !source.storage().device().equals(device);
    DType dtype = target.type().dtype();
    if (isElsewhere || (!device.isHost() && source.type().dtype() == dtype && !source.overlaps(target))) {
      invoker.copies().converted(source, target);
    } else {
      invoker.runInto(target, Operators.CAST, Invoker.castTo(dtype), true, source);
    }
  }

  private Layout layout(ArrayRange value, Selection selection) {
    if (value.type().dtype() != target.type().dtype()) {
      throw new IllegalArgumentException("element types differ: operation=set array=%s value=%s; convert with "
        .formatted(target.type(), value.type()) + "astype");
    }
    try {
      return Layout.rowMajor(value.type().shape()).broadcastTo(selection.shape());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the value does not broadcast to what is selected: operation=set array=%s "
        .formatted(target.type()) + "selected=%s value=%s; reshape it".formatted(selection.shape(), value.type()), e);
    }
  }
}
