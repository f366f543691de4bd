package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is measured, and on which device.
 *
 * @param device {@code cuda:N}, or {@code sim}, the simulator that the build makes
 * @param quick whether only to see that all works: the figures are not worth keeping
 * @param write whether the page of figures is written
 * @param page a file to write the page to as well, whatever is measured
 * @param tables names of the tables to make; all when empty
 */
record GpuOptions(String device, boolean quick, boolean write, Optional<Path> page, List<String> tables) {
  static final String USAGE = "[--device cuda:N|sim] [--quick] [--write] [--page FILE] [--tables NAME,...]";
  static final String SIMULATOR = "sim";
  private static final Pattern DEVICE = Pattern.compile("cuda:\\d{1,4}");

  GpuOptions {
    tables = List.copyOf(tables);
    if (!device.equals(SIMULATOR) && !DEVICE.matcher(device).matches()) {
      throw new IllegalArgumentException("no such device: device=%s wanted=cuda:N,%s".formatted(device, SIMULATOR));
    }
    if (write && (quick || device.equals(SIMULATOR) || !tables.isEmpty())) {
      throw new IllegalArgumentException(
        "only figures of a whole run on a GPU are kept: --write goes without --quick, --tables and --device sim");
    }
  }

  static GpuOptions parse(List<String> given) {
    String device = "cuda:0";
    boolean quick = false;
    boolean write = false;
    Optional<Path> page = Optional.empty();
    List<String> tables = List.of();
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--device" -> device = arguments.value();
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        case "--page" -> page = Optional.of(Path.of(arguments.value()));
        case "--tables" -> tables = arguments.list();
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new GpuOptions(device, quick, write, page, tables);
  }

  boolean wants(GpuTable table) {
    return tables.isEmpty() || tables.contains(table.name());
  }

  /** The device's number among those that the driver knows. */
  int ordinal() {
    return device.equals(SIMULATOR) ? 0 : Integer.parseInt(device.substring("cuda:".length()));
  }
}
