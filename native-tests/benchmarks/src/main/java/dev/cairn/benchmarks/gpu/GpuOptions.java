package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Arguments;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which cases are measured, and on which device.
 *
 * @param device {@code cuda:N}, or {@code sim}, the simulator that the build makes
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param page a file to write the page to as well, whatever is measured
 * @param tables names of the tables to make; all when empty
 * @param models beginnings of the keys of the models to measure, such as {@code resnet50-b1-}; all when empty
 * @param torch PyTorch's modes to measure beside them
 */
record GpuOptions(String device, boolean quick, boolean write, Optional<Path> page, List<String> tables,
  List<String> models, Set<TorchModel.Mode> torch) {
  static final String USAGE = "[--device cuda:N|sim] [--quick] [--write] [--page FILE] [--tables NAME,...] "
    + "[--models KEY,...] [--torch eager,compile,graphs]";
  static final String SIMULATOR = "sim";
  private static final Pattern DEVICE = Pattern.compile("cuda:\\d{1,4}");

  GpuOptions {
    tables = List.copyOf(tables);
    models = List.copyOf(models);
    torch = Set.copyOf(torch);
    if (!device.equals(SIMULATOR) && !DEVICE.matcher(device).matches()) {
      throw new IllegalArgumentException("no such device: device=%s wanted=cuda:N,%s".formatted(device, SIMULATOR));
    }
    if (write && (quick || device.equals(SIMULATOR) || !tables.isEmpty() || !models.isEmpty())) {
      throw new IllegalArgumentException("only figures of a whole run on a GPU are kept: "
        + "--write goes without --quick, --tables, --models and --device sim");
    }
  }

  static GpuOptions parse(List<String> given) {
    String device = "cuda:0";
    boolean quick = false;
    boolean write = false;
    Optional<Path> page = Optional.empty();
    List<String> tables = List.of();
    List<String> models = List.of();
    Set<TorchModel.Mode> torch = EnumSet.allOf(TorchModel.Mode.class);
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--device" -> device = arguments.value();
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        case "--page" -> page = Optional.of(Path.of(arguments.value()));
        case "--tables" -> tables = arguments.list();
        case "--models" -> models = arguments.list();
        case "--torch" -> torch = modes(arguments.list());
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new GpuOptions(device, quick, write, page, tables, models, torch);
  }

  private static Set<TorchModel.Mode> modes(List<String> names) {
    return Arrays.stream(TorchModel.Mode.values()).filter(mode -> names.contains(mode.toString())).collect(Collectors
      .toUnmodifiableSet());
  }

  boolean wants(ModelCase which) {
    return models.isEmpty() || models.stream().anyMatch(which.key()::startsWith);
  }

  boolean wants(GpuTable table) {
    return tables.isEmpty() || tables.contains(table.name());
  }

  /** The device's number among those that the driver knows. */
  int ordinal() {
    return device.equals(SIMULATOR) ? 0 : Integer.parseInt(device.substring("cuda:".length()));
  }
}
