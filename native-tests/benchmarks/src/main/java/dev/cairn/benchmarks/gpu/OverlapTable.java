package dev.cairn.benchmarks.gpu;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.PinnedMemory;
import java.util.ArrayList;
import java.util.List;

/** Whether streams work beside each other: a copy beside a kernel, and kernels beside kernels. */
final class OverlapTable implements GpuTable {
  private static final int BRANCHES = 4;
  private static final double MOST_OF_THE_LONGER = 1.15;
  private static final double LEAST_TIMES = 3.2;

  @Override
  public String name() {
    return "overlap";
  }

  @Override
  public Section measured(GpuUnderTest gpu, GpuEffort effort) {
    var table = new MarkdownTable("together", "apart, ms", "together, ms", "measured", "goal");
    try (CudaModule module = gpu.device().load(gpu.image());
      DeviceMemory memory = gpu.device().allocate(256);
      Streams streams = Streams.open(gpu)) {
      Figure overlap = copyBesideKernel(gpu, effort, module, memory, streams, table);
      Figure branches = branches(gpu, effort, module, memory, streams, table);
      return new Section("Streams beside each other", """
        A copy to the device from pinned memory and a kernel that takes as long, on two streams: what both take, over
        the longer one. %d kernels, each on a quarter of the multiprocessors, on one stream and on one each: how many
        times as fast. The times are the host's, from the first call to the end of all."""
        .formatted(BRANCHES), table, List.of(overlap, branches));
    }
  }

  private static Figure copyBesideKernel(GpuUnderTest gpu, GpuEffort effort, CudaModule module, DeviceMemory memory,
    Streams streams, MarkdownTable table) {
    long bytes = effort.copyBytes().getLast();
    try (DeviceMemory target = gpu.device().allocate(bytes); PinnedMemory source = gpu.device().allocatePinned(bytes)) {
      CudaStream one = streams.all().get(0);
      CudaStream other = streams.all().get(1);
      Runnable copy = () -> one.copyToDevice(target.address(), source.segment());
      double copyMillis = millis(gpu, copy);
      Spinning kernel = Spinning.of(module.function(GpuUnderTest.SPIN), gpu.device().properties().multiprocessors(),
        memory, other, Math.max(copyMillis, millis(gpu, copy)));
      Turns turns = Turns.of(effort.rounds(), List.of(() -> millis(gpu, copy), () -> millis(gpu, () -> kernel.launch(
        other)), () -> millis(gpu, () -> {
          copy.run();
          kernel.launch(other);
        })));
      double longer = Math.max(turns.side(0).median(), turns.side(1).median());
      Sample ratios = Sample.of(perRound(turns));
      table.row("a copy and a kernel", number(2, longer), number(2, turns.side(2).median()), ratios.withSpread(), "<="
        + number(2, MOST_OF_THE_LONGER));
      return Figure.judged("overlap", ratios.median(), 2, Goal.atMost(MOST_OF_THE_LONGER));
    }
  }

  private static List<Double> perRound(Turns turns) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < turns.values().getFirst().size(); i++) {
      ratios.add(turns.values().get(2).get(i) / Math.max(turns.values().get(0).get(i), turns.values().get(1).get(i)));
    }
    return ratios;
  }

  private static Figure branches(GpuUnderTest gpu, GpuEffort effort, CudaModule module, DeviceMemory memory,
    Streams streams, MarkdownTable table) {
    int blocks = Math.max(1, gpu.device().properties().multiprocessors() / BRANCHES);
    Spinning kernel = Spinning.of(module.function(GpuUnderTest.SPIN), blocks, memory, streams.all().getFirst(), effort
      .kernelMillis());
    Turns turns = Turns.of(effort.rounds(), List.of(() -> millis(gpu, () -> {
      for (int i = 0; i < BRANCHES; i++) {
        kernel.launch(streams.all().getFirst());
      }
    }), () -> millis(gpu, () -> streams.all().forEach(kernel::launch))));
    Sample times = turns.ratios(0, 1);
    table.row(BRANCHES + " equal branches", number(2, turns.side(0).median()), number(2, turns.side(1).median()), times
      .withSpread(), ">=" + number(1, LEAST_TIMES));
    return Figure.judged("branches", times.median(), 2, Goal.atLeast(LEAST_TIMES));
  }

  private static double millis(GpuUnderTest gpu, Runnable work) {
    gpu.device().synchronize();
    return HostTime.nanos(1, () -> {
      work.run();
      gpu.device().synchronize();
    }, () -> {}) / 1e6;
  }

  private record Streams(List<CudaStream> all) implements AutoCloseable {
    static Streams open(GpuUnderTest gpu) {
      List<CudaStream> all = new ArrayList<>();
      for (int i = 0; i < BRANCHES; i++) {
        all.add(gpu.device().newStream("branch " + i));
      }
      return new Streams(List.copyOf(all));
    }

    @Override
    public void close() {
      all.forEach(CudaStream::close);
    }
  }
}
