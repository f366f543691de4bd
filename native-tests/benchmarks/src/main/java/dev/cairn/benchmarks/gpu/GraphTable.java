package dev.cairn.benchmarks.gpu;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaEvent;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaGraph;
import dev.cairn.kernels.cuda.CudaGraphExecutable;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.LaunchShape;
import java.util.ArrayList;
import java.util.List;

/** A straight line of kernels that do nothing, as a graph and launched one by one. */
final class GraphTable implements GpuTable {
  private static final LaunchShape SHAPE = LaunchShape.of(1, 32);
  private static final int WARM_UPS = 3;

  private record Times(double captureMillis, double hostMicros, double graphMicros, double eagerMicros,
    double updateMicros) {}

  @Override
  public String name() {
    return "graph";
  }

  @Override
  public Section measured(GpuUnderTest gpu, GpuEffort effort) {
    try (DeviceMemory memory = gpu.device().allocate(256);
      CudaModule module = gpu.device().load(gpu.image());
      CudaStream stream = gpu.device().newStream("graph")) {
      CudaFunction function = module.function(GpuUnderTest.NOTHING);
      var arguments = new ArgumentBlock(2).set(0, memory.address()).set(1, 64L);
      Runnable launches = () -> {
        for (int i = 0; i < effort.nodes(); i++) {
          function.launch(stream, SHAPE, arguments);
        }
      };
      double captureMillis = captureMillis(stream, launches, effort);
      try (CudaGraph graph = stream.capture(launches); CudaGraphExecutable executable = graph.instantiate()) {
        Runnable replay = () -> executable.launch(stream);
        double host = repeated(effort, () -> HostTime.nanos(effort.batches(), replay, stream::synchronize) / 1e3);
        double replayed = repeated(effort, () -> deviceMicros(gpu, stream, replay) / effort.nodes());
        double eager = repeated(effort, () -> deviceMicros(gpu, stream, launches) / effort.nodes());
        double update = repeated(effort, () -> HostTime.nanos(1, () -> update(executable, arguments, effort.nodes()),
          () -> {}) / 1e3 / effort.nodes());
        return section(new Times(captureMillis, host, replayed, eager, update), effort.nodes());
      }
    }
  }

  private static double captureMillis(CudaStream stream, Runnable launches, GpuEffort effort) {
    return repeated(effort, () -> {
      long began = System.nanoTime();
      try (CudaGraph graph = stream.capture(launches); CudaGraphExecutable executable = graph.instantiate()) {
        long nanos = System.nanoTime() - began;
        executable.launch(stream);
        stream.synchronize();
        return nanos / 1e6;
      }
    });
  }

  private static void update(CudaGraphExecutable executable, ArgumentBlock arguments, int updates) {
    for (int i = 0; i < updates; i++) {
      executable.update(i, SHAPE, arguments);
    }
  }

  private static double repeated(GpuEffort effort, java.util.function.DoubleSupplier measured) {
    List<Double> values = new ArrayList<>();
    for (int i = -WARM_UPS; i < effort.rounds(); i++) {
      double value = measured.getAsDouble();
      if (i >= 0) {
        values.add(value);
      }
    }
    return Sample.of(values).median();
  }

  /** On the device's clock. */
  private static double deviceMicros(GpuUnderTest gpu, CudaStream stream, Runnable work) {
    try (CudaEvent before = gpu.device().newEvent(); CudaEvent after = gpu.device().newEvent()) {
      before.record(stream);
      work.run();
      after.record(stream);
      after.synchronize();
      return before.millisUntil(after) * 1e3;
    }
  }

  private static Section section(Times times, int nodes) {
    double faster = times.eagerMicros() / times.graphMicros();
    var table = new MarkdownTable("%d kernels in a line".formatted(nodes), "measured", "goal")
      .row("capture and instantiate, ms", number(2, times.captureMillis()), "<=20")
      .row("launch of the graph, µs of the host", number(2, times.hostMicros()), "<=8")
      .row("a kernel of the graph, µs of the device", number(3, times.graphMicros()), "<=1.3")
      .row("a kernel launched by itself, µs of the device", number(3, times.eagerMicros()), "")
      .row("one over the other", number(2, faster), ">=2")
      .row("new arguments for one kernel, µs of the host", number(2, times.updateMicros()), "<=1");
    return new Section("A graph", """
      The host's time is that of the call alone, `CudaGraphExecutable.launch`; the device's is between two events,
      divided by the number of kernels.""", table, List.of(
      Figure.judged("capture-ms", times.captureMillis(), 2, Goal.atMost(20)),
      Figure.judged("graph-launch-us", times.hostMicros(), 2, Goal.atMost(8)),
      Figure.judged("graph-kernel-us", times.graphMicros(), 2, Goal.atMost(1.3)),
      Figure.judged("graph-faster", faster, 2, Goal.atLeast(2)),
      Figure.judged("graph-update-us", times.updateMicros(), 2, Goal.atMost(1))));
  }
}
