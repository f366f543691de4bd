package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelSignature;
import java.lang.foreign.MemorySegment;

/**
 * A kernel that can get ready for shapes alone, and then run on the calling thread for one place after the other with
 * hardly a cost of its own: for small blocks. Wants no workspace.
 */
public interface PlacedKernel extends Kernel {
  /** The kernel for calls of these types and attributes. */
  Placed forShapes(KernelSignature signature);

  /** Runs at places. For one thread. */
  @FunctionalInterface
  interface Placed {
    /** @param inputs as long as the signature's; the output may be an input that does not repeat */
    void run(MemorySegment[] inputs, MemorySegment output);
  }
}
