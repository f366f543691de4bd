package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;

/** Joins the strings of two operands, stretched as NumPy broadcasts. */
public final class StringConcat implements StringKernel {
  @Override
  public void run(KernelCall call) {
    TensorView a = call.input(0);
    TensorView b = call.input(1);
    Shape shape = call.output(0).shape();
    Layout left = Layout.rowMajor(a.shape()).broadcastTo(shape);
    Layout right = Layout.rowMajor(b.shape()).broadcastTo(shape);
    List<String> joined = new ArrayList<>();
    for (long i = 0; i < shape.elementCount(); i++) {
      joined.add(StringElements.at(a, offset(i, left)) + StringElements.at(b, offset(i, right)));
    }
    call.bindOutput(0, StringElements.of(shape, joined));
  }

  private static long offset(long position, Layout layout) {
    long rest = position;
    long offset = 0;
    for (int axis = layout.shape().rank() - 1; axis >= 0; axis--) {
      offset += rest % layout.shape().extent(axis) * layout.stride(axis);
      rest /= layout.shape().extent(axis);
    }
    return offset;
  }
}
