package dev.cairn.kernels.cuda;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Work captured from streams: a template for executable graphs. Keep it open while those are updated. */
public final class CudaGraph extends CudaObject {
  private final GraphNodeCalls.Graph handle;
  private final List<CudaFunction> launches;
  private final List<CudaModule> modules;
  /** The graph's nodes, queried once: a captured graph's nodes do not change. */
  private volatile long @Nullable [] kernelNodes;

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

  /** The launched kernels, in the order of the launches. */
  public List<CudaFunction> launches() {
    return launches;
  }

  /** Creates an executable graph. */
  public CudaGraphExecutable instantiate() {
    requireKernels();
    return CudaGraphExecutable.of(this, enter().instantiate(handle));
  }

  /** Requires that all modules of the graph's kernels are open. Otherwise the driver would run code that is gone. */
  void requireKernels() {
    for (int i = 0; i < modules.size(); i++) {
      if (modules.get(i).isClosed()) {
        throw new IllegalStateException("graph launches kernels of a closed module: kernels=" + launches.stream()
          .filter(it -> it.module().isClosed()).map(CudaFunction::name).distinct().toList());
      }
    }
  }

  /**
   * The node of one launch: the driver lists nodes in the order in which capturing made them.
   *
   * @throws IllegalStateException if the driver lists other kernels than the capture launched
   */
  long kernelNode(int launch) {
    long[] nodes = kernelNodes;
    if (nodes == null) {
      nodes = GraphNodeCalls.kernels(handle).stream().mapToLong(Long::longValue).toArray();
      if (nodes.length != launches.size()) {
        throw new IllegalStateException("graph has kernels that this library did not launch: nodes=%d launches=%d"
          .formatted(nodes.length, launches.size()));
      }
      kernelNodes = nodes;
    }
    return nodes[launch];
  }

  @Override
  void destroy(CudaDriver driver) {
    driver.destroy(handle);
  }
}
