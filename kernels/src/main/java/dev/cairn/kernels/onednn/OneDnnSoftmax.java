package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code Softmax} along the innermost axis, of {@code float32} or {@code bfloat16}. If an element is NaN or +∞, oneDNN
 * makes it NaN and the rest of its row 0; here the whole row becomes NaN, as with the other kernels.
 */
final class OneDnnSoftmax extends OneDnnKernel {
  private static final int INFERENCE = 96;
  private static final int ACCURATE = 0x30000;
  /** A call costs more than so few elements. */
  private static final int FEWEST = 256;

  OneDnnSoftmax(OneDnnEngine engine) {
    super(engine);
  }

  @Override
  boolean fits(KernelSignature signature) {
    Shape shape = signature.input(0).shape();
    return areAlike(signature, 1) && shape.rank() > 0
      && AxisForm.ofLines(signature.attributes()).of(shape) == shape.rank() - 1 && shape.elementCount() >= FEWEST;
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    Shape shape = signature.input(0).shape();
    long columns = shape.extent(-1);
    long layout = program.layouts().plain(shape.elementCount() / columns, columns);
    program.addSimple(descriptor(program, layout), layout, layout);
  }

  @Override
  Prepared completed(KernelCall call, Prepared program) {
    return new WithWholeRowsOfNan(call, program);
  }

  /** Makes each row with a NaN all NaN. The bits of a NaN without its sign are greater than those of +∞. */
  private record WithWholeRowsOfNan(KernelCall call, Prepared program) implements Prepared {
    private static final long GRAIN = 1 << 14;
    private static final int FLOAT32_INFINITY = 0x7F800000;
    private static final int FLOAT32_NAN = 0x7FC00000;
    private static final int BFLOAT16_INFINITY = FLOAT32_INFINITY >>> 16;
    private static final short BFLOAT16_NAN = (short) (FLOAT32_NAN >>> 16);

    @Override
    public void run() {
      program.run();
      TensorView y = call.output(0);
      int columns = Math.toIntExact(y.shape().extent(-1));
      CpuStream.of(call).parallel(y.elementCount() / columns, Math.ceilDiv(GRAIN, columns), (first, end) -> {
        for (long row = first; row < end; row++) {
          long bytes = (long) columns * y.dtype().bytes();
          MemorySegment results = y.segment().asSlice(row * bytes, bytes);
          if (y.dtype() == DType.FLOAT32) {
            spreadFloat32(results, columns);
          } else {
            spreadBfloat16(results, columns);
          }
        }
      });
    }

    private static void spreadFloat32(MemorySegment row, int columns) {
      int greatest = 0;
      for (int i = 0; i < columns; i++) {
        greatest = Math.max(greatest, row.get(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES) & 0x7FFFFFFF);
      }
      for (int i = 0; greatest > FLOAT32_INFINITY && i < columns; i++) {
        row.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES, FLOAT32_NAN);
      }
    }

    private static void spreadBfloat16(MemorySegment row, int columns) {
      int greatest = 0;
      for (int i = 0; i < columns; i++) {
        greatest = Math.max(greatest, row.get(ValueLayout.JAVA_SHORT_UNALIGNED, (long) i * Short.BYTES) & 0x7FFF);
      }
      for (int i = 0; greatest > BFLOAT16_INFINITY && i < columns; i++) {
        row.set(ValueLayout.JAVA_SHORT_UNALIGNED, (long) i * Short.BYTES, BFLOAT16_NAN);
      }
    }

    @Override
    public void close() {
      program.close();
    }
  }

  /** @param rows the layout of two axes, of which the softmax is along the second */
  static long descriptor(ProgramBuilder program, long rows) {
    return program.scope().create("primitive_desc", "dnnl_softmax_forward_primitive_desc_create", program.engine(),
      INFERENCE, ACCURATE, rows, rows, 1, program.attributes());
  }
}
