package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** {@code gpu}: launches, graphs, memory and copies through Cairn, beside the driver's own calls in one process. */
public final class GpuBenchmark implements Benchmark {
  /** In the order of the page. */
  static final List<GpuTable> TABLES = List.of(new LaunchTable(), new GraphTable(), new AllocationTable(),
    new CopyTable(), new OverlapTable(), new ModelsTable());

  @Override
  public String name() {
    return "gpu";
  }

  @Override
  public String description() {
    return "launches, graphs, device memory, copies and overlap on a GPU, beside the driver's own calls; "
      + "models beside PyTorch";
  }

  @Override
  public String options() {
    return GpuOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    GpuOptions options = GpuOptions.parse(arguments);
    List<String> names = TABLES.stream().map(GpuTable::name).toList();
    if (!names.containsAll(options.tables())) {
      throw new IllegalArgumentException("no such table: given=%s tables=%s".formatted(options.tables(), names));
    }
    Origin origin = Origin.here(name(), arguments);
    GpuPage page = measured(options, places);
    Outcome outcome = page.outcome();
    String text = page.text(origin, outcome.line(name()));
    System.out.println(text);
    if (options.write() && !page.simulated()) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), text);
    }
    if (options.page().isPresent()) {
      Files.writeString(options.page().get(), text);
    }
    return outcome;
  }

  private static GpuPage measured(GpuOptions options, Places places) {
    try (GpuUnderTest gpu = GpuUnderTest.open(options, places)) {
      boolean quick = options.quick() || gpu.isSimulated();
      List<Section> sections = new ArrayList<>();
      SequencedMap<String, String> failed = new LinkedHashMap<>();
      for (GpuTable table : TABLES.stream().filter(options::wants).toList()) {
        System.err.println(table.name() + " ...");
        try {
          gpu.device().makeCurrent();
          sections.add(table.measured(gpu, quick ? Effort.QUICK : Effort.FULL));
        } catch (IllegalStateException | IllegalArgumentException | CudaFailure e) {
          // Machines with a GPU are rare: the other tables are made all the same.
          e.printStackTrace();
          failed.put(table.name(), String.valueOf(e.getMessage()));
        }
      }
      return new GpuPage(sections, failed, gpu.description(), gpu.isSimulated(), quick);
    } catch (CudaUnavailable e) {
      throw new IllegalStateException("there is no GPU to measure: " + e.getMessage(), e);
    }
  }
}
