package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ResponseWindow;
import dev.cairn.kernels.catalog.KernelSignature;

/** {@code LRN}, local response normalisation across channels, of {@code float32}. */
final class OneDnnLocalResponse extends OneDnnKernel {
  private static final int INFERENCE = 96;
  private static final int ACROSS_CHANNELS = 0xaff;

  private final Images images;

  OneDnnLocalResponse(OneDnnEngine engine, Images images) {
    super(engine);
    this.images = images;
  }

  /** A window of an even size is off its middle, and not on the same side there. */
  @Override
  boolean fits(KernelSignature signature) {
    return areAlike(signature, 1) && images.areIn(signature)
      && ResponseWindow.of(signature.attributes()).size() % 2 == 1;
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    ResponseWindow window = ResponseWindow.of(signature.attributes());
    long layout = images.layout(program.layouts(), images.plain(signature).input(0).shape().extents());
    program.addSimple(program.scope().create("primitive_desc", "dnnl_lrn_forward_primitive_desc_create", program
      .engine(), INFERENCE, ACROSS_CHANNELS, layout, layout, window.size(), window.alpha(), window.beta(),
      window
        .bias(),
      program.attributes()), layout, layout);
  }
}
