package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.attribute.ShapeForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.LongTable;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Operators whose results the host knows beforehand: {@code Shape}, {@code Size}, {@code ConstantOfShape}. */
public final class CudaHostValues {
  private static final String SOURCE = "movement.cu";

  private CudaHostValues() {}

  /** The extents of axes {@code [start, end)}. */
  public static CudaKernel shape(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        Shape shape = call.input(0).shape();
        ShapeForm form = ShapeForm.of(call.attributes(), shape.rank());
        int start = axis(form.start(), shape.rank());
        int end = Math.max(start, axis(form.end(), shape.rank()));
        return longs(library, call, Arrays.copyOfRange(shape.extents(), start, end));
      }
    };
  }

  /** The number of elements. */
  public static CudaKernel size(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        return longs(library, call, call.input(0).elementCount());
      }
    };
  }

  /** A tensor filled with the attribute {@code value}, or 0. */
  public static CudaKernel constantOfShape(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public boolean readsOnHost(int input) {
        return true;
      }

      @Override
      public Runnable prepare(KernelCall call) {
        TensorView y = call.output(0);
        return Launch.of(call, library.function(SOURCE, CudaElementTypes.moved(y.dtype()), "fill"))
          .output(0)
          .value(y.elementCount())
          .value(bits(call))
          .overElements(y.elementCount());
      }
    };
  }

  private static long bits(KernelCall call) {
    TensorView y = call.output(0);
    return switch (ConstantForm.of(call.attributes()).value()) {
      case null -> 0;
      case AttributeValue.Tensor(TensorView value) when value.dtype() == y.dtype() && value.elementCount() == 1 -> {
        long bits = 0;
        for (int i = 0; i < y.dtype().bytes(); i++) {
          bits |= (value.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFFL) << (8 * i);
        }
        yield bits;
      }
      case AttributeValue other -> throw new IllegalArgumentException(
        "one element of the output's type: name=value given=%s output=%s".formatted(other, y.type()));
    };
  }

  private static Launch longs(KernelLibrary library, KernelCall call, long... values) {
    TensorView y = call.output(0);
    if (y.elementCount() != values.length) {
      throw new IllegalArgumentException(
        "one element an axis: values=%s output=%s".formatted(Arrays.toString(values), y.type()));
    }
    return Launch.of(call, library.function(SOURCE, CudaElementTypes.moved(y.dtype()), "write_longs"))
      .output(0)
      .value(y.elementCount())
      .structure(LongTable.of(values))
      .overElements(y.elementCount());
  }

  private static int axis(long given, int rank) {
    return Math.clamp(given < 0 ? given + rank : given, 0, rank);
  }
}
