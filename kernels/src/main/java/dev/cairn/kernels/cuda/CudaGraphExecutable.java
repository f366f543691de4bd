package dev.cairn.kernels.cuda;

import java.util.List;
import jcuda.driver.CUDA_KERNEL_NODE_PARAMS;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUgraphNode;

/**
 * A graph that runs with one call. Its launches can be given other shapes and arguments, one by one: JCuda 12.6 has no
 * working call that takes over a whole captured graph, so a graph with other nodes is instantiated anew. For one thread
 * at a time; of two launches the second begins after the first has ended.
 */
public final class CudaGraphExecutable extends CudaObject {
  private final CudaGraph graph;
  private final CUgraphExec handle;

  private CudaGraphExecutable(CudaGraph graph, CUgraphExec handle) {
    super(graph.context());
    this.graph = graph;
    this.handle = handle;
  }

  static CudaGraphExecutable of(CudaGraph graph, CUgraphExec handle) {
    CudaGraphExecutable executable = new CudaGraphExecutable(graph, handle);
    graph.context().adopt(executable);
    return executable;
  }

  /** Puts all of the graph's work at the end of the stream and returns. */
  public void launch(CudaStream stream) {
    requireSameContext(stream);
    enter().launch(handle, stream.handle());
  }

  /**
   * Gives the {@code index}th launch of the capture another shape and other arguments, from the next run on.
   *
   * @throws IllegalStateException when the driver lists other kernels than were launched in the capture
   */
  public void update(int index, LaunchShape shape, ArgumentBlock arguments) {
    List<CUgraphNode> nodes = graph.kernelNodes();
    if (nodes.size() != graph.launches().size()) {
      throw new IllegalStateException("graph has kernels that this library did not launch: nodes=%d launches=%d"
        .formatted(nodes.size(), graph.launches().size()));
    }
    CUDA_KERNEL_NODE_PARAMS parameters = new CUDA_KERNEL_NODE_PARAMS();
    parameters.func = graph.launches().get(index).handle();
    parameters.gridDimX = shape.gridX();
    parameters.gridDimY = shape.gridY();
    parameters.gridDimZ = shape.gridZ();
    parameters.blockDimX = shape.blockX();
    parameters.blockDimY = shape.blockY();
    parameters.blockDimZ = shape.blockZ();
    parameters.sharedMemBytes = shape.sharedBytes();
    parameters.kernelParams = arguments.pointer();
    enter().setParameters(handle, nodes.get(index), parameters);
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
