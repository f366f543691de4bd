package dev.cairn.kernels.onednn;

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
    return areAlike(signature, 1) && images.areIn(signature) && size(signature) % 2 == 1;
  }

  private static long size(KernelSignature signature) {
    return signature.attributes().getLong("size", 0);
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    long layout = images.layout(program.layouts(), images.plain(signature).input(0).shape().extents());
    program.addSimple(program.scope().create("primitive_desc", "dnnl_lrn_forward_primitive_desc_create", program
      .engine(), INFERENCE, ACROSS_CHANNELS, layout, layout, size(signature),
      signature.attributes().getFloat("alpha",
        1e-4f),
      signature.attributes().getFloat("beta", 0.75f), signature.attributes().getFloat("bias", 1), program
        .attributes()),
      layout, layout);
  }
}
