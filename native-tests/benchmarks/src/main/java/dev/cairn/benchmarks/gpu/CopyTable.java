package dev.cairn.benchmarks.gpu;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.PinnedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** How fast bytes move to the device, from it and on it, beside the driver's own copies. */
final class CopyTable implements GpuTable {
  private static final double LEAST_OF_NATIVE = 0.95;
  private static final long ALIGNMENT = 4096;

  /** One row, both ways to do it; {@code settle} waits for both. */
  private record Copy(String name, long bytes, boolean judged, Runnable ours, Runnable bare, Runnable settle) {}

  @Override
  public String name() {
    return "copy";
  }

  @Override
  public Section measured(GpuUnderTest gpu, GpuEffort effort) {
    var table = new MarkdownTable("copy", "MiB", "Cairn, GB/s", "driver, GB/s", "ratio");
    List<Double> judged = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    for (long bytes : effort.copyBytes()) {
      try (DeviceMemory first = gpu.device().allocate(bytes);
        DeviceMemory second = gpu.device().allocate(bytes);
        PinnedMemory pinned = gpu.device().allocatePinned(bytes);
        Arena arena = Arena.ofConfined();
        CudaStream stream = gpu.device().newStream("copy")) {
        MemorySegment pageable = arena.allocate(bytes, ALIGNMENT).fill((byte) 1);
        for (Copy copy : copies(gpu, stream, first, second, pinned.segment(), pageable)) {
          Turns turns = Turns.of(effort.rounds(), List.of(
            () -> gigabytesPerSecond(copy, copy.ours(), effort.copies()),
            () -> gigabytesPerSecond(copy, copy.bare(), effort.copies())));
          double ratio = turns.ratios(0, 1).median();
          if (copy.judged()) {
            judged.add(ratio);
          }
          if (bytes == effort.copyBytes().getLast()) {
            figures.add(Figure.told(copy.name().replace(", ", "-").replace(' ', '-') + "-GB/s", turns.side(0).median(),
              1));
          }
          table.row(copy.name(), number(0, bytes / 0x1p20), number(1, turns.side(0).median()), number(1, turns.side(1)
            .median()), turns.ratios(0, 1).withSpread());
        }
      }
    }
    figures.addFirst(Figure.judged("copies-of-native-least", Sample.of(judged).min(), 2,
      Goal.atLeast(LEAST_OF_NATIVE)));
    return new Section("Copies", """
      Bytes of one side over the time of %d copies in a row and the wait for the last; on the device each byte is read
      and written, and counts once. Pageable memory is what is not page-locked. The driver's figure is its own
      asynchronous copy of the same memory, called directly; the goal, %s of it, is for pinned memory and on the
      device."""
      .formatted(effort.copies(), number(2, LEAST_OF_NATIVE)), table, figures);
  }

  private static List<Copy> copies(GpuUnderTest gpu, CudaStream stream, DeviceMemory first, DeviceMemory second,
    MemorySegment pinned, MemorySegment pageable) {
    NativeDriver driver = gpu.nativeDriver();
    long bare = driver.newStream();
    Runnable settle = gpu.device()::synchronize;
    long bytes = pinned.byteSize();
    List<Copy> copies = new ArrayList<>();
    for (boolean judged : List.of(true, false)) {
      MemorySegment host = judged ? pinned : pageable;
      String kind = judged ? "pinned" : "pageable";
      copies.add(new Copy("to device, " + kind, bytes, judged, () -> stream.copyToDevice(first.address(), host),
        () -> driver.copyToDevice(first.address(), host, bare), settle));
      copies.add(new Copy("to host, " + kind, bytes, judged, () -> stream.copyToHost(host, first.address()),
        () -> driver.copyToHost(host, first.address(), bare), settle));
    }
    copies.add(new Copy("on device", bytes, true, () -> stream.copyOnDevice(second.address(), first.address(), bytes),
      () -> driver.copyOnDevice(second.address(), first.address(), bytes, bare), settle));
    return copies;
  }

  private static double gigabytesPerSecond(Copy copy, Runnable once, int times) {
    copy.settle().run();
    double nanos = HostTime.nanos(1, () -> {
      for (int i = 0; i < times; i++) {
        once.run();
      }
      copy.settle().run();
    }, () -> {});
    return copy.bytes() * (double) times / nanos;
  }
}
