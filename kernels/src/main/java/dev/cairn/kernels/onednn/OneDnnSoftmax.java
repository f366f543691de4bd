package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;

/** {@code Softmax} along the innermost axis, of {@code float32} or {@code bfloat16}. */
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
    return areAlike(signature, 1) && shape.rank() > 0 && shape.axis(signature.attributes().getInt("axis", -1)) == shape
      .rank() - 1 && shape.elementCount() >= FEWEST;
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    Shape shape = signature.input(0).shape();
    long columns = shape.extent(-1);
    long layout = program.layouts().plain(shape.elementCount() / columns, columns);
    program.addSimple(descriptor(program, layout), layout, layout);
  }

  /** @param rows the layout of two axes, of which the softmax is along the second */
  static long descriptor(ProgramBuilder program, long rows) {
    return program.scope().create("primitive_desc", "dnnl_softmax_forward_primitive_desc_create", program.engine(),
      INFERENCE, ACCURATE, rows, rows, 1, program.attributes());
  }
}
