package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.runtime.cli.doctor.CudaFacts;
import dev.cairn.runtime.cli.doctor.GpuFacts;
import dev.cairn.runtime.cli.doctor.HostProbe;
import dev.cairn.runtime.cli.option.CudaOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn devices}: where models can be run, and why not elsewhere. */
@Command
final class DevicesCommand extends CairnCommand {
  private final RuntimeOptions options;

  @Mixin
  private CudaOption cuda = new CudaOption();

  DevicesCommand(RuntimeOptions options) {
    this.options = options;
  }

  @Override
  ExitCode execute() {
    ProcessorFacts processor = ProcessorFacts.ofMachine();
    CudaFacts gpus = HostProbe.cuda(cuda.search(options.environment()));
    print(text(processor, gpus), document(processor, gpus));
    return ExitCode.OK;
  }

  static String text(ProcessorFacts processor, CudaFacts gpus) {
    var table = new Table("device", "memory", "free", "name", "what it is");
    table.row("cpu", StatsText.bytes(processor.totalBytes()), StatsText.bytes(processor.freeBytes()), processor.name(),
      "%d cores, %d threads, %s".formatted(processor.cores(), processor.threads(), vectors(processor)));
    for (GpuFacts gpu : gpus.devices()) {
      table.row("cuda:" + gpu.index(), StatsText.bytes(gpu.totalBytes()), StatsText.bytes(gpu.freeBytes()), gpu.name(),
        "compute capability " + gpu.capability() + (gpu.failure().isEmpty() ? "" : "; unusable: " + gpu.failure()));
    }
    return table.text("") + gpus.unavailable().map(it -> System.lineSeparator() + why(it)).orElse("");
  }

  private static String vectors(ProcessorFacts processor) {
    return processor.vectorBits() == 0
      ? "no vectors: Java was started without jdk.incubator.vector"
      : "vectors of %d bits".formatted(processor.vectorBits());
  }

  private static String why(CudaUnavailable failure) {
    return "no GPU: %s. 'cairn doctor' says what to do.".formatted(failure.reason().words());
  }

  static Map<String, Object> document(ProcessorFacts processor, CudaFacts gpus) {
    Map<String, Object> document = Json.document("devices");
    List<Map<String, Object>> devices = new ArrayList<>();
    Map<String, Object> cpu = device("cpu", processor.name(), processor.totalBytes(), processor.freeBytes());
    cpu.put("cores", processor.cores());
    cpu.put("threads", processor.threads());
    cpu.put("vectorBits", processor.vectorBits());
    devices.add(cpu);
    for (GpuFacts gpu : gpus.devices()) {
      Map<String, Object> row = device("cuda:" + gpu.index(), gpu.name(), gpu.totalBytes(), gpu.freeBytes());
      row.put("computeCapability", gpu.capability());
      row.put("failure", gpu.failure());
      devices.add(row);
    }
    document.put("devices", devices);
    document.put("noGpu", gpus.unavailable().map(CudaUnavailable::getMessage).orElse(""));
    return document;
  }

  private static Map<String, Object> device(String id, String name, long totalBytes, long freeBytes) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("device", id);
    row.put("name", name);
    row.put("memoryBytes", totalBytes);
    row.put("freeBytes", freeBytes);
    return row;
  }
}
