package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;

/**
 * Runs a {@link PointwiseProgram} block by block: each step on a block that is still in the first-level cache, by the
 * very kernel that would run it on whole tensors. So results are those of the steps run one after the other, to the
 * bit, and memory is read and written once.
 */
public final class CpuFusedPointwise implements Kernel {
  private final KernelCatalog kernels;

  /** @param kernels of the operators that programs may have */
  public CpuFusedPointwise(KernelCatalog kernels) {
    this.kernels = kernels;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return FusedSteps.find(kernels, signature).isPresent();
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return new FusedBlocks(signature, new PointwiseSlots(PointwiseProgram.of(signature.attributes())), steps(signature))
      .workspaceBytes();
  }

  @Override
  public void run(KernelCall call) {
    prepare(call).run();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    KernelSignature signature = KernelSignature.of(call);
    FusedSteps steps = steps(signature);
    var blocks = new FusedBlocks(signature, new PointwiseSlots(steps.program()), steps);
    return () -> blocks.run(call);
  }

  private FusedSteps steps(KernelSignature signature) {
    return FusedSteps.find(kernels, signature).orElseThrow(() -> new IllegalArgumentException(
      "no kernel for a step: program=%s".formatted(signature.attributes())));
  }
}
