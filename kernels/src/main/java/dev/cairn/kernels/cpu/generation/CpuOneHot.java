package dev.cairn.kernels.cpu.generation;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.DiagonalForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Tensors with few elements that differ from the rest: {@code OneHot(indices, depth, values)}, {@code EyeLike}.
 */
public final class CpuOneHot {
  private CpuOneHot() {}

  /**
   * The value {@code on} at the index along the new axis, {@code off} elsewhere. A negative index counts from the end;
   * one outside the axis leaves its line off.
   */
  public static void oneHot(KernelCall call) {
    TensorView indices = call.input(0);
    TensorView values = call.input(2);
    TensorView output = call.output(0);
    Shape shape = output.shape();
    int axis = shape.axis(AxisForm.ofLines(call.attributes()).axis());
    var lines = LinesAlong.of(shape, axis);
    long unit = output.dtype().bytes();
    var units = new UnitLoop(values.segment(), output.segment(), unit);
    units.run(output.elementCount(), 0, 0, 0, unit);
    for (long line = 0; line < indices.elementCount(); line++) {
      long index = indices.dtype().isFloat() ? (long) indices.doubleAt(line) : indices.longAt(line);
      if (index >= -lines.extent() && index < lines.extent()) {
        units.one(unit, lines.at(line, index < 0 ? index + lines.extent() : index) * unit);
      }
    }
  }

  /** Ones on a diagonal, attribute {@code k} above the main one, and zeros elsewhere. */
  public static void eyeLike(KernelCall call) {
    TensorView output = call.output(0);
    long rows = output.shape().extent(0);
    long columns = output.shape().extent(1);
    long k = Math.clamp(DiagonalForm.of(call.attributes()).offset(), -rows, columns);
    output.segment().fill((byte) 0);
    for (long row = Math.max(0, -k); row < rows && row + k < columns; row++) {
      long at = row * columns + row + k;
      if (output.dtype().isFloat()) {
        Elements.write(new double[] {1}, output, at, 1);
      } else {
        Elements.write(new long[] {1}, output, at, 1);
      }
    }
  }
}
