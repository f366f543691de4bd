package dev.cairn.benchmarks.gpu;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The host's time for a launch, through Cairn and JCuda, and without them. */
final class LaunchTable implements GpuTable {
  private static final int BLOCKS = 4;
  private static final int BLOCK_THREADS = 128;
  private static final double MOST_OF_NATIVE = 1.5;
  private static final double MOST_MICROS = 4;

  @Override
  public String name() {
    return "launch";
  }

  @Override
  public Section measured(GpuUnderTest gpu, GpuEffort effort) {
    try (DeviceMemory memory = gpu.device().allocate(256);
      CudaModule module = gpu.device().load(gpu.image());
      CudaStream stream = gpu.device().newStream("launch")) {
      CudaFunction function = module.function(GpuUnderTest.NOTHING);
      var arguments = new ArgumentBlock(2).set(0, memory.address()).set(1, 64L);
      LaunchShape shape = LaunchShape.of(BLOCKS, BLOCK_THREADS);
      Runnable ours = () -> launch(effort.launches(), function, stream, shape, arguments);
      Runnable bare = bare(gpu.nativeDriver(), gpu.image(), memory.address(), effort.launches());
      Turns turns = Turns.of(effort.rounds(), List.of(
        () -> nanos(effort, ours, gpu) / effort.launches(),
        () -> nanos(effort, bare, gpu) / effort.launches()));
      double perSecond = sustained(effort, ours, gpu);
      return section(turns, perSecond);
    }
  }

  private static void launch(int times, CudaFunction function, CudaStream stream, LaunchShape shape,
    ArgumentBlock arguments) {
    for (int i = 0; i < times; i++) {
      function.launch(stream, shape, arguments);
    }
  }

  private static Runnable bare(NativeDriver driver, byte[] image, long address, int times) {
    long function = driver.function(image, GpuUnderTest.NOTHING);
    long stream = driver.newStream();
    // The addresses of the two values, and behind them the values.
    MemorySegment table = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 4);
    table.setAtIndex(ValueLayout.JAVA_LONG, 0, table.address() + 2 * Long.BYTES);
    table.setAtIndex(ValueLayout.JAVA_LONG, 1, table.address() + 3 * Long.BYTES);
    table.setAtIndex(ValueLayout.JAVA_LONG, 2, address);
    table.setAtIndex(ValueLayout.JAVA_LONG, 3, 64L);
    return () -> {
      for (int i = 0; i < times; i++) {
        driver.launch(function, BLOCKS, BLOCK_THREADS, stream, table);
      }
    };
  }

  private static double nanos(GpuEffort effort, Runnable launches, GpuUnderTest gpu) {
    return HostTime.nanos(effort.batches(), launches, gpu.device()::synchronize);
  }

  /** Launches a second, the device included: the host may wait for it. */
  private static double sustained(GpuEffort effort, Runnable launches, GpuUnderTest gpu) {
    double nanos = HostTime.nanos(3, () -> {
      for (int i = 0; i < effort.batches(); i++) {
        launches.run();
      }
      gpu.device().synchronize();
    }, () -> {});
    return effort.batches() * effort.launches() / nanos * 1e9;
  }

  private static Section section(Turns turns, double perSecond) {
    double ours = turns.side(0).median() / 1e3;
    double ratio = turns.ratios(0, 1).median();
    var table = new MarkdownTable("launch", "µs", "goal")
      .row("Cairn, through JCuda", number(3, ours), "<=" + number(0, MOST_MICROS))
      .row("cuLaunchKernel", number(3, turns.side(1).median() / 1e3), "")
      .row("one over the other", turns.ratios(0, 1).withSpread(), "<=" + number(1, MOST_OF_NATIVE))
      .row("a second, one stream, to the end of the last", number(0, perSecond), "");
    return new Section("Launches", """
      The host's time for a launch of a kernel that does nothing, with two arguments, in batches that the driver takes
      without letting the host wait. Both sides launch the same code in the same context, in turn: Cairn's
      `CudaFunction.launch`, which makes the context current each time, and the driver's function called directly.""",
      table, List.of(Figure.judged("launch-us", ours, 2, Goal.atMost(MOST_MICROS)),
        Figure.judged("launch-of-native", ratio, 2, Goal.atMost(MOST_OF_NATIVE)),
        Figure.told("launches-a-second", perSecond, 0)));
  }
}
