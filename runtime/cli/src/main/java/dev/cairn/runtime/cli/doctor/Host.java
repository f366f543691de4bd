package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CacheReport;
import java.util.List;

/**
 * What was seen of the machine and of how this process was started.
 *
 * @param cache as it was before anything was loaded from it
 * @param cacheAskedFor whether that folder was asked for, so that no other may take its place
 * @param toolkits the variables that say where CUDA is, as far as they are set
 */
public record Host(JavaFacts java, CacheReport cache, boolean cacheAskedFor, List<ToolkitVariable> toolkits,
  CudaFacts cuda, KernelFacts kernels) {
  public Host {
    toolkits = List.copyOf(toolkits);
  }

  /** A host with other facts of CUDA. */
  Host withCuda(CudaFacts other) {
    return new Host(java, cache, cacheAskedFor, toolkits, other, kernels);
  }
}
