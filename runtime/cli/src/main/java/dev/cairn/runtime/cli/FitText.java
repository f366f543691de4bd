package dev.cairn.runtime.cli;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.DeviceFit;
import dev.cairn.runtime.memory.FitVerdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A verdict in words. Of several devices, the one with the least room, or that lacks most, speaks for all.
 *
 * @param remedies the verdict's, in its order, as what to type
 * @param amount how bytes are written
 */
record FitText(FitVerdict verdict, List<String> remedies, LongFunction<String> amount) {
  private static final int BUFFERS_IN_TEXT = 5;

  FitText {
    remedies = List.copyOf(remedies);
  }

  boolean fits() {
    return verdict.fits();
  }

  /** The device that speaks for all. */
  DeviceFit device() {
    return verdict.devices().stream().min(Comparator.comparingLong(FitText::roomBytes)).orElseThrow();
  }

  private static long roomBytes(DeviceFit device) {
    return device.limit().isEmpty() ? Long.MAX_VALUE : device.limit().getAsLong() - device.neededBytes();
  }

  private String ofDevice() {
    return verdict.devices().size() > 1 ? " of device " + device().device() : "";
  }

  /** {@code fits 2.0 GiB, 1.5 GiB left}; empty without a limit. */
  String text() {
    DeviceFit device = device();
    if (device.limit().isEmpty()) {
      return "";
    }
    String limit = amount.apply(device.limit().getAsLong()) + ofDevice();
    return fits()
      ? "fits %s, %s left".formatted(limit, amount.apply(roomBytes(device)))
      : "does not fit %s, short by %s".formatted(limit, amount.apply(device.shortBytes()));
  }

  /** What is held when most is, and what would make it fit, a line each; empty when it fits. */
  String advice(String indent) {
    if (fits()) {
      return "";
    }
    return block("at peak", peak(), indent) + block("to fit", remedies, indent);
  }

  private static String block(String word, List<String> lines, String indent) {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      text.append(text.isEmpty() ? String.format("%-" + indent.length() + "s", word) : indent).append(line)
        .append(System.lineSeparator());
    }
    return text.toString();
  }

  private List<String> peak() {
    DeviceFit device = device();
    List<Buffer> buffers = device.atPeak();
    List<Buffer> rest = buffers.subList(Math.min(BUFFERS_IN_TEXT, buffers.size()), buffers.size());
    List<String> lines = new ArrayList<>();
    lines.add("step %d holds %s in %d buffers, the largest:".formatted(device.peakStep(), amount.apply(bytes(buffers)),
      buffers.size()));
    buffers.stream().limit(BUFFERS_IN_TEXT).map(it -> amount.apply(it.reservedBytes()) + "  " + it.name())
      .forEach(lines::add);
    if (!rest.isEmpty()) {
      lines.add("%s  in %d more".formatted(amount.apply(bytes(rest)), rest.size()));
    }
    return lines;
  }

  private static long bytes(List<Buffer> buffers) {
    return buffers.stream().mapToLong(Buffer::reservedBytes).sum();
  }

  void addTo(Map<String, Object> document) {
    document.put("fits", fits());
    DeviceFit device = device();
    if (device.limit().isPresent()) {
      document.put("limitBytes", device.limit().getAsLong());
      document.put("shortBytes", device.shortBytes());
      document.put("leastBytes", device.boundBytes());
      document.put("remedies", remedies);
    }
    if (!fits()) {
      document.put("peakStep", device.peakStep());
      document.put("atPeak", device.atPeak().stream().map(FitText::row).toList());
    }
  }

  private static Map<String, Object> row(Buffer buffer) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", buffer.name());
    row.put("bytes", buffer.reservedBytes());
    return row;
  }

  /** The same, behind a word and before what would help, as sentences. */
  String sentences() {
    return text().isEmpty()
      ? ""
      : "It " + text() + "." + (remedies.isEmpty()
        ? ""
        : " What would make it fit: " + String.join("; ", remedies) + ".");
  }

  /** The subject of "takes less than the bound": the plans that the bound is for. */
  static String noPlan(DeviceFit device) {
    return device.boundsRecomputation()
      ? "no plan of these steps, whatever runs again or is copied,"
      : "no plan that runs each step once and copies nothing";
  }

  /** The failure with which the command ends when the plan does not fit. */
  Failure.Known failure(String cause, String limitName) {
    DeviceFit device = device();
    return new Failure.Known(ExitCode.OUT_OF_MEMORY, cause,
      "needs %s%s, %s %s, short by %s; %s takes less than %s"
        .formatted(amount.apply(device.neededBytes()), ofDevice(), limitName,
          amount.apply(device.limit().orElseThrow()),
          amount.apply(device.shortBytes()), noPlan(device), amount.apply(device.boundBytes())),
      String.join("; or ", remedies));
  }
}
