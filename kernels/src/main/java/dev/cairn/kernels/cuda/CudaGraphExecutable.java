package dev.cairn.kernels.cuda;

/**
 * A graph that runs with one call. Its launches can be given other shapes and arguments, one by one: JCuda 12.6 has no
 * working call that takes over a whole captured graph, so a graph with other nodes is instantiated anew. For one thread
 * at a time; of two launches the second begins after the first has ended.
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

  /** Puts all of the graph's work at the end of the stream and returns. */
  public void launch(CudaStream stream) {
    requireSameContext(stream);
    graph.requireKernels();
    enter().launch(handle, stream.handle());
  }

  /**
   * Gives the {@code index}th launch of the capture another shape and other arguments, from the next run on.
   *
   * @throws IllegalStateException when the driver lists other kernels than were launched in the capture
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
