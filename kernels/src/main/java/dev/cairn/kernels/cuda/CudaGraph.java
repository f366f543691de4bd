package dev.cairn.kernels.cuda;

import static jcuda.driver.CUgraphNodeType.CU_GRAPH_NODE_TYPE_KERNEL;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphNode;

/** Work captured from streams: a template that executable graphs are made of. Open as long as those are updated. */
public final class CudaGraph extends CudaObject {
  private final CUgraph handle;
  private final List<CudaFunction> launches;

  private CudaGraph(CudaContext context, CUgraph handle, List<CudaFunction> launches) {
    super(context);
    this.handle = handle;
    this.launches = launches;
  }

  static CudaGraph captured(CudaContext context, CUgraph handle, List<CudaFunction> launches) {
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
  List<CUgraphNode> kernelNodes() {
    CudaDriver driver = enter();
    List<CUgraphNode> kernels = new ArrayList<>();
    for (CUgraphNode node : driver.nodes(handle)) {
      if (driver.type(node) == CU_GRAPH_NODE_TYPE_KERNEL) {
        kernels.add(node);
      }
    }
    return kernels;
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
