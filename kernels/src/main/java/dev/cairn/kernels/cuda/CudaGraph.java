package dev.cairn.kernels.cuda;

import java.util.List;

/** Work captured from streams: a template that executable graphs are made of. Open as long as those are updated. */
public final class CudaGraph extends CudaObject {
  private final GraphNodeCalls.Graph handle;
  private final List<CudaFunction> launches;

  private CudaGraph(CudaContext context, GraphNodeCalls.Graph handle, List<CudaFunction> launches) {
    super(context);
    this.handle = handle;
    this.launches = launches;
  }

  static CudaGraph captured(CudaContext context, GraphNodeCalls.Graph handle, List<CudaFunction> launches) {
    CudaGraph graph = new CudaGraph(context, handle, launches);
    context.adopt(graph);
    return graph;
  }

  /** The kernels launched, in the order of the launches. */
  public List<CudaFunction> launches() {
    return launches;
  }

  /** Makes the graph ready to run. */
  public CudaGraphExecutable instantiate() {
    return CudaGraphExecutable.of(this, enter().instantiate(handle));
  }

  /** The nodes of the launches: the driver lists nodes in the order in which capturing made them. */
  List<Long> kernelNodes() {
    enter();
    return GraphNodeCalls.kernels(handle);
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
