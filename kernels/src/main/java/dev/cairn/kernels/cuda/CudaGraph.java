package dev.cairn.kernels.cuda;

import java.util.List;

/** Work captured from streams: a template that executable graphs are made of. Open as long as those are updated. */
public final class CudaGraph extends CudaObject {
  private final GraphNodeCalls.Graph handle;
  private final List<CudaFunction> launches;
  private final List<CudaModule> modules;

  private CudaGraph(CudaContext context, GraphNodeCalls.Graph handle, List<CudaFunction> launches) {
    super(context);
    this.handle = handle;
    this.launches = launches;
    this.modules = launches.stream().map(CudaFunction::module).distinct().toList();
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
    requireKernels();
    return CudaGraphExecutable.of(this, enter().instantiate(handle));
  }

  /** That no module of the graph's kernels is closed: the driver would run code that is no longer there. */
  void requireKernels() {
    for (int i = 0; i < modules.size(); i++) {
      if (modules.get(i).isClosed()) {
        throw new IllegalStateException("graph launches kernels of a closed module: kernels=" + launches.stream()
          .filter(it -> it.module().isClosed()).map(CudaFunction::name).distinct().toList());
      }
    }
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
