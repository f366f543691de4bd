package dev.cairn.runtime.executor.replay;

import dev.cairn.kernels.cuda.CudaGraph;
import dev.cairn.kernels.cuda.CudaGraphExecutable;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.device.Stream;

/**
 * Records by capturing CUDA streams into a graph, which the driver launches whole: copies, kernels and the order of
 * streams included.
 */
public enum CudaGraphReplay implements RunRecorder {
  /** The single instance: it has no state. */
  INSTANCE;

  @Override
  public boolean isAble() {
    return true;
  }

  @Override
  public Recording record(Stream stream, Runnable work) {
    if (!(stream instanceof CudaStream cuda)) {
      throw new IllegalArgumentException("not a stream of CUDA: stream=" + stream);
    }
    // The graph is closed at once, since only updates would need it beside the executable one.
    try (CudaGraph graph = cuda.capture(work)) {
      return new Graph(graph.instantiate(), cuda);
    }
  }

  private record Graph(CudaGraphExecutable executable, CudaStream stream) implements Recording {
    @Override
    public void launch() {
      executable.launch(stream);
    }

    @Override
    public void close() {
      executable.close();
    }
  }
}
