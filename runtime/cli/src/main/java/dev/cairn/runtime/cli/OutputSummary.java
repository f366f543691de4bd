package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cli.text.EscapedText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One output in a few numbers: its range, its mean, what is not a number, and the five largest values of the first
 * item.
 */
record OutputSummary(String name, String type, double min, double max, double mean, long notNumbers, List<Top> top) {
  private static final int TOP = 5;

  /** One of the largest values, and where in the item it stands. */
  record Top(int index, double value) {}

  static OutputSummary of(String name, TensorView view) {
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double sum = 0;
    long notNumbers = 0;
    for (long i = 0; i < view.elementCount(); i++) {
      double value = view.doubleAt(i);
      if (Double.isNaN(value)) {
        notNumbers++;
      } else {
        min = Math.min(min, value);
        max = Math.max(max, value);
        sum += value;
      }
    }
    long numbers = view.elementCount() - notNumbers;
    return new OutputSummary(name, view.type().toString(), numbers == 0 ? Double.NaN : min,
      numbers == 0 ? Double.NaN : max,
      numbers == 0 ? Double.NaN : sum / numbers, notNumbers, top(view));
  }

  /**
   * Of the innermost axis at the first index of all others: the scores of the first item of a batch of classifications.
   */
  private static List<Top> top(TensorView view) {
    if (view.elementCount() == 0 || view.shape().rank() == 0) {
      return List.of();
    }
    int count = (int) Math.min(view.shape().extent(-1), Integer.MAX_VALUE);
    List<Top> all = new ArrayList<>(IntStream.range(0, count).mapToObj(i -> new Top(i, view.doubleAt(i))).toList());
    all.removeIf(it -> Double.isNaN(it.value()));
    all.sort(Comparator.comparingDouble(Top::value).reversed().thenComparingInt(Top::index));
    return List.copyOf(all.subList(0, Math.min(TOP, all.size())));
  }

  String text() {
    String range = String.format(Locale.ROOT, "%s %s, min %.5g, max %.5g, mean %.5g%s", EscapedText
      .inLine(name), type, min, max, mean,
      notNumbers == 0 ? "" : ", NaN " + notNumbers);
    String scores = top.stream().map(it -> String.format(Locale.ROOT, "%d: %.5g", it.index(), it.value()))
      .collect(Collectors
        .joining(", "));
    return top.isEmpty() ? range : "%s; top-%d %s".formatted(range, top.size(), scores);
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", name);
    document.put("type", type);
    document.put("min", min);
    document.put("max", max);
    document.put("mean", mean);
    document.put("notNumbers", notNumbers);
    document.put("top", top.stream().map(it -> List.of(it.index(), it.value())).toList());
    return document;
  }
}
