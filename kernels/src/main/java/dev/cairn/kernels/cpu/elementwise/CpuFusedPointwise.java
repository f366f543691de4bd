package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a {@link PointwiseProgram} block by block: each step on a block that is still in the first-level cache, by the
 * very kernel that would run it on whole tensors. So results are those of the steps run one after the other, to the
 * bit, and memory is read and written once.
 */
public final class CpuFusedPointwise implements Kernel {
  private final KernelCatalog kernels;
  private final Optional<Kernel> whole;

  /** @param kernels of the operators that programs may have */
  public CpuFusedPointwise(KernelCatalog kernels) {
    this(kernels, Optional.empty());
  }

  /** @param whole runs programs that it accepts at once, without a workspace */
  public CpuFusedPointwise(KernelCatalog kernels, Optional<Kernel> whole) {
    this.kernels = kernels;
    this.whole = whole;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return FusedSteps.find(kernels, signature).isPresent();
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return new FusedBlocks(signature, PointwiseSlots.of(signature.attributes()), steps(signature)).workspaceBytes();
  }

  @Override
  public void run(KernelCall call) {
    KernelSignature signature = KernelSignature.of(call);
    whole.filter(it -> it.accepts(signature)).ifPresentOrElse(it -> it.run(call), () -> blocks(signature).run(call));
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return whole.filter(it -> it.accepts(signature)).map(it -> it.planned(signature, constants)).orElseGet(
      () -> new PlannedKernel(new Planned(signature), Map.of()));
  }

  /** This kernel for calls of one signature. */
  private final class Planned implements Kernel {
    private final KernelSignature signature;

    Planned(KernelSignature signature) {
      this.signature = signature;
    }

    @Override
    public void run(KernelCall call) {
      CpuFusedPointwise.this.run(call);
    }

    @Override
    public Runnable prepare(KernelCall call) {
      FusedBlocks ready = blocks(signature);
      return () -> ready.run(call);
    }

    @Override
    public boolean isRebindable() {
      return true;
    }

    @Override
    public long workspaceBytes(KernelSignature of) {
      return CpuFusedPointwise.this.workspaceBytes(of);
    }
  }

  private FusedBlocks blocks(KernelSignature signature) {
    FusedSteps steps = steps(signature);
    return new FusedBlocks(signature, PointwiseSlots.of(signature.attributes()), steps);
  }

  private FusedSteps steps(KernelSignature signature) {
    return FusedSteps.find(kernels, signature).orElseThrow(() -> new IllegalArgumentException(
      "no kernel for a step: program=%s".formatted(signature.attributes())));
  }
}
