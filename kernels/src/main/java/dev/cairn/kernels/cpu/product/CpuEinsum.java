package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.attribute.EinsumEquation;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code Einsum(operands...)}, element by element of the result. Float types are computed in {@code double} and rounded
 * once; whole numbers wrap.
 */
public final class CpuEinsum implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public void run(KernelCall call) {
    List<Shape> shapes = new ArrayList<>();
    for (int i = 0; i < call.inputCount(); i++) {
      shapes.add(call.input(i).shape());
    }
    var equation = EinsumEquation.of(EinsumEquation.text(call.attributes()), shapes);
    TensorView y = call.output(0);
    long terms = 1;
    for (int axis = equation.kept(); axis < equation.axes(); axis++) {
      terms *= equation.extent(axis);
    }
    long summed = terms;
    CpuStream.of(call).parallel(y.elementCount(), Math.max(1, GRAIN / Math.max(1, terms)), (first, end) -> {
      var walk = new Walk(call, equation);
      for (long item = first; item < end; item++) {
        walk.begin(item);
        if (y.dtype().isFloat()) {
          Elements.write(new double[] {walk.reals(summed)}, y, item, 1);
        } else {
          Elements.write(new long[] {walk.whole(summed)}, y, item, 1);
        }
      }
    });
  }

  /** Where the operands' elements lie that make one element of the result. For one thread. */
  private static final class Walk {
    private final KernelCall call;
    private final EinsumEquation equation;
    private final long[] index;
    private final long[] at;

    Walk(KernelCall call, EinsumEquation equation) {
      this.call = call;
      this.equation = equation;
      this.index = new long[equation.axes()];
      this.at = new long[call.inputCount()];
    }

    void begin(long item) {
      long rest = item;
      Arrays.fill(at, 0);
      for (int axis = equation.kept() - 1; axis >= 0; axis--) {
        move(axis, rest % equation.extent(axis));
        rest /= equation.extent(axis);
      }
    }

    private void move(int axis, long steps) {
      for (int k = 0; k < at.length; k++) {
        at[k] += steps * equation.stride(k, axis);
      }
    }

    /** The steps to the next term; behind the last one, back to the first. */
    private void next() {
      for (int axis = index.length - 1; axis >= equation.kept(); axis--) {
        move(axis, 1);
        if (++index[axis] < equation.extent(axis)) {
          return;
        }
        move(axis, -index[axis]);
        index[axis] = 0;
      }
    }

    double reals(long terms) {
      double sum = 0;
      for (long term = 0; term < terms; term++) {
        double product = 1;
        for (int k = 0; k < at.length; k++) {
          product *= call.input(k).doubleAt(at[k]);
        }
        sum += product;
        next();
      }
      return sum;
    }

    long whole(long terms) {
      long sum = 0;
      for (long term = 0; term < terms; term++) {
        long product = 1;
        for (int k = 0; k < at.length; k++) {
          product *= call.input(k).longAt(at[k]);
        }
        sum += product;
        next();
      }
      return sum;
    }
  }
}
