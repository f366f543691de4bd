package dev.cairn.benchmarks.gpu;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.CudaSubAllocator;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;

/** Cairn's allocator over the device's memory beside the driver's own calls. */
final class AllocationTable implements GpuTable {
  private static final double LEAST_OF_ASYNC = 20;
  private static final double LEAST_OF_PLAIN = 100;

  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public Section measured(GpuUnderTest gpu, GpuEffort effort) {
    NativeDriver driver = gpu.nativeDriver();
    driver.keepFreedMemory(gpu.device().id().ordinal());
    long stream = driver.newStream();
    var table = new MarkdownTable("granted and freed", "Cairn, ns", "cuMemAllocAsync, ns", "times", "cuMemAlloc, ns",
      "times");
    List<Double> ofAsync = new ArrayList<>();
    List<Double> ofPlain = new ArrayList<>();
    try (CudaSubAllocator source = CudaSubAllocator.of(gpu.device().id().ordinal());
      BfcAllocator allocator = new BfcAllocator(source, BfcOptions.DEFAULT)) {
      gpu.device().makeCurrent();
      var cairn = new Pool(allocator, allocator.ownerNumber(Owner.of("benchmark")));
      for (Requests requests : requests(effort)) {
        Turns turns = Turns.of(effort.rounds(), List.of(
          () -> requests.nanos(cairn, effort.allocations()),
          () -> requests.nanos(new InOrder(driver, stream), effort.driverAllocations()),
          () -> requests.nanos(new Plain(driver), effort.driverAllocations())));
        double async = turns.ratios(1, 0).median();
        double plain = turns.ratios(2, 0).median();
        ofAsync.add(async);
        ofPlain.add(plain);
        table.row(requests.name(), number(1, turns.side(0).median()), number(0, turns.side(1).median()), number(1,
          async), number(0, turns.side(2).median()), number(1, plain));
      }
    }
    return section(table, Sample.of(ofAsync), Sample.of(ofPlain));
  }

  private static List<Requests> requests(GpuEffort effort) {
    return List.of(Requests.pairs("pairs of 4 KiB", 4L << 10), Requests.pairs("pairs of 1 MiB", 1L << 20),
      Requests.pairs("pairs of %d MiB".formatted(effort.largeBytes() >> 20), effort.largeBytes()),
      Requests.mixed("mixed, %d live, 512 B to 1 MiB".formatted(Requests.LIVE)));
  }

  private static Section section(MarkdownTable table, Sample ofAsync, Sample ofPlain) {
    table.row("geometric mean", "", "", number(1, ofAsync.geometricMean()), "", number(1, ofPlain.geometricMean()));
    return new Section("Device memory", """
      A grant and its release, through the allocator that the runtime uses (`BfcAllocator` over `CudaSubAllocator`,
      with statistics, owners and checks on) and through the driver's calls, made directly. The driver's pool is told
      to keep what is freed. The goals are for the geometric means: %s times as fast as `cuMemAllocAsync` with
      `cuMemFreeAsync`, %s times as fast as `cuMemAlloc` with `cuMemFree`.""".formatted(number(0, LEAST_OF_ASYNC),
      number(0, LEAST_OF_PLAIN)), table,
      List.of(
        Figure.judged("faster-than-async", ofAsync.geometricMean(), 1, Goal.atLeast(LEAST_OF_ASYNC)),
        Figure.told("faster-than-async-least", ofAsync.min(), 1),
        Figure.judged("faster-than-plain", ofPlain.geometricMean(), 1, Goal.atLeast(LEAST_OF_PLAIN)),
        Figure.told("faster-than-plain-least", ofPlain.min(), 1)));
  }

  private record Pool(BfcAllocator allocator, int owner) implements Requests.Memory {
    @Override
    public long take(long bytes) {
      return allocator.grant(bytes, owner);
    }

    @Override
    public void give(long token) {
      allocator.release(token);
    }
  }

  private record InOrder(NativeDriver driver, long stream) implements Requests.Memory {
    @Override
    public long take(long bytes) {
      return driver.allocateInOrder(bytes, stream);
    }

    @Override
    public void give(long token) {
      driver.freeInOrder(token, stream);
    }

    @Override
    public void settle() {
      driver.synchronize(stream);
    }
  }

  private record Plain(NativeDriver driver) implements Requests.Memory {
    @Override
    public long take(long bytes) {
      return driver.allocate(bytes);
    }

    @Override
    public void give(long token) {
      driver.free(token);
    }
  }
}
