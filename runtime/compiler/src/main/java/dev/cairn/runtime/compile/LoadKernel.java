package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.memory.analysis.HostCopies;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The kernel of a step that makes a constant in each run on the processor, from the mapped file of the model, folded
 * and packed as its readers need it. An executor has a step of its own for it, so {@link #run} is never called.
 */
public record LoadKernel(ConstantSource source) implements Kernel {
  /**
   * Whether a constant can be made in each run: its bytes, or those that it is computed from, lie in a mapped file.
   * Operands below {@link WeightStreaming#LEAST_BYTES} may lie elsewhere.
   */
  static boolean isInFile(ConstantSource source) {
    return readsFile(source) && needsFileOnly(source);
  }

  private static boolean readsFile(ConstantSource source) {
    return switch (source) {
      case ConstantSource.Given(TensorView value) -> value.segment().isMapped();
      case ConstantSource.Computed computed -> inputs(computed).stream().anyMatch(LoadKernel::readsFile);
    };
  }

  private static boolean needsFileOnly(ConstantSource source) {
    return switch (source) {
      case ConstantSource.Given(TensorView value) -> value.segment().isMapped() || (value.type()
        .bytes() < WeightStreaming.LEAST_BYTES && value.dtype() != DType.STRING);
      case ConstantSource.Computed computed -> inputs(computed).stream().allMatch(LoadKernel::needsFileOnly);
    };
  }

  private static List<ConstantSource> inputs(ConstantSource.Computed source) {
    return source.inputs().stream().flatMap(Optional::stream).toList();
  }

  /** The kernel's row, which is in no catalog. */
  KernelRow row() {
    return new KernelRow(HostCopies.LOAD, KernelRow.Twin.PORTABLE, KernelRow.Decides.FIRST_INPUT, EnumSet.allOf(
      DType.class), this);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return ConstantScratch.bytesOf(source);
  }

  @Override
  public void run(KernelCall call) {
    throw new UnsupportedOperationException("an executor makes the constant");
  }
}
