package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;

/** {@code gpu}: launches, graphs, memory and copies through Cairn, beside the driver's own calls in one process. */
public final class GpuBenchmark implements Benchmark {
  /** In the order of the page. */
  static List<GpuTable> tables(GpuOptions options) {
    return List.of(new LaunchTable(), new GraphTable(), new GpuModelsTable(options));
  }

  @Override
  public String name() {
    return "gpu";
  }

  @Override
  public String description() {
    return "launches and graphs on a GPU, beside the driver's own calls; models beside PyTorch";
  }

  @Override
  public String options() {
    return GpuOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    GpuOptions options = GpuOptions.parse(arguments);
    List<String> names = tables(options).stream().map(GpuTable::name).toList();
    if (!names.containsAll(options.tables())) {
      throw new IllegalArgumentException("no such table: given=%s tables=%s".formatted(options.tables(), names));
    }
    Origin origin = Origin.here(name(), arguments);
    GpuPage page = measured(options, places, soFar -> keep(options, text(soFar, origin)));
    Outcome outcome = page.outcome();
    String text = text(page, origin);
    System.out.println(text);
    if (options.write() && !page.simulated()) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), text);
    }
    keep(options, text);
    return outcome;
  }

  private String text(GpuPage page, Origin origin) {
    return page.text(origin, page.outcome().line(name()));
  }

  private static void keep(GpuOptions options, String text) {
    if (options.page().isPresent()) {
      try {
        Files.writeString(options.page().get(), text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** @param afterTable gets the page as it stands after each table: time on machines with a GPU may run out */
  private static GpuPage measured(GpuOptions options, Places places, Consumer<GpuPage> afterTable) {
    try (GpuUnderTest gpu = GpuUnderTest.open(options, places)) {
      boolean quick = options.quick() || gpu.isSimulated();
      GpuEffort effort = quick ? GpuEffort.QUICK : GpuEffort.FULL;
      List<Section> sections = new ArrayList<>();
      SequencedMap<String, String> failed = new LinkedHashMap<>();
      for (GpuTable table : tables(options).stream().filter(options::wants).toList()) {
        System.err.println(table.name() + " ...");
        try {
          gpu.device().makeCurrent();
          sections.add(table.measured(gpu, effort));
          afterTable.accept(new GpuPage(sections, failed, gpu.description(), gpu.isSimulated(), quick));
        } catch (IllegalStateException | IllegalArgumentException | CudaFailure e) {
          // Machines with a GPU are rare, so the other tables are made even if one fails.
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
