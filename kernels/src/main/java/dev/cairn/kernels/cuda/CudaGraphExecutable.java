package dev.cairn.kernels.cuda;

/**
 * A graph that runs with one call. The caller can update the shape and arguments of each launch. JCuda 12.6 has no
 * working call to update a whole graph, so a graph with other nodes needs a new instance. Not thread-safe. Of two
 * launches the second begins after the first has ended.
 */
public final class CudaGraphExecutable extends CudaObject {
  private final CudaGraph graph;
  private final GraphNodeCalls.Executable handle;

  private CudaGraphExecutable(CudaGraph graph, GraphNodeCalls.Executable handle) {
    super(graph.context());
    this.graph = graph;
    this.handle = handle;
  }

  static CudaGraphExecutable of(CudaGraph graph, GraphNodeCalls.Executable handle) {
    CudaGraphExecutable executable = new CudaGraphExecutable(graph, handle);
    graph.context().adopt(executable);
    return executable;
  }

  /** Adds all of the graph's work to the stream and returns. */
  public void launch(CudaStream stream) {
    requireSameContext(stream);
    graph.requireKernels();
    enter().launch(handle, stream.handle());
  }

  /**
   * Changes the shape and arguments of the {@code index}th launch of the capture, from the next run on.
   *
   * @throws IllegalStateException if the driver lists other kernels than the capture launched
   */
  public void update(int index, LaunchShape shape, ArgumentBlock arguments) {
    graph.requireKernels();
    enter();
    GraphNodeCalls.setParameters(handle, graph.kernelNode(index), graph.launches().get(index).handle(), shape,
      arguments.segment());
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
