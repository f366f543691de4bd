package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cli.text.EscapedText;
import dev.cairn.runtime.value.OptionalValue;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMap;
import dev.cairn.runtime.value.TensorSequence;
import dev.cairn.runtime.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One output in a few numbers: its range, its mean, what is not a number, and the five largest values of the first
 * item. Of strings and maps, the first five.
 */
record OutputSummary(String name, String type, double min, double max, double mean, long notNumbers, List<Top> top,
  List<String> first) {
  private static final int TOP = 5;

  /** One of the largest values, and where in the item it stands. */
  record Top(int index, double value) {}

  /** A summary of each tensor of an output; elements of a sequence are numbered. */
  static Stream<OutputSummary> all(String name, Value value) {
    return switch (value) {
      case Tensor tensor -> Stream.of(of(name, tensor.view()));
      case OptionalValue optional -> optional.value().map(it -> all(name, it)).orElse(Stream.of(nothing(name,
        "optional without a value")));
      case TensorMap map -> Stream.of(maps(name, "map from %s to %s".formatted(map.keys().dtype(), map.dtype()), Stream
        .of(map.asMap().toString())));
      case TensorMap.Sequence maps -> Stream.of(maps(name,
        "sequence of %d maps from %s to %s".formatted(maps.size(), maps
          .keys().dtype(), maps.values().dtype()),
        IntStream.range(0, Math.min(TOP, maps.size())).mapToObj(i -> maps
          .map(i).toString())));
      case TensorSequence sequence -> Stream.concat(Stream.of(nothing(name, "sequence of %d tensors of %s".formatted(
        sequence.tensors().size(), sequence.dtype()))), IntStream.range(0, sequence.tensors().size()).mapToObj(
          i -> of(
            name + "[" + i + "]", sequence.tensors().get(i).view())));
    };
  }

  private static OutputSummary maps(String name, String type, Stream<String> first) {
    return new OutputSummary(name, type, Double.NaN, Double.NaN, Double.NaN, 0, List.of(), first.toList());
  }

  private static OutputSummary nothing(String name, String type) {
    return new OutputSummary(name, type, Double.NaN, Double.NaN, Double.NaN, 0, List.of(), List.of());
  }

  static OutputSummary of(String name, TensorView view) {
    if (view.dtype() == DType.STRING) {
      List<String> first = LongStream.range(0, Math.min(TOP, view.elementCount())).mapToObj(i -> StringElements.at(view,
        i)).toList();
      return new OutputSummary(name, view.type().toString(), Double.NaN, Double.NaN, Double.NaN, 0, List.of(), first);
    }
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
      numbers == 0 ? Double.NaN : sum / numbers, notNumbers, top(view), List.of());
  }

  /**
   * The elements along the innermost axis at the first index of all other axes: for a classification, the scores of the
   * batch's first item.
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
    if (!isOfNumbers()) {
      return "%s %s%s".formatted(EscapedText.inLine(name), type, first.stream().map(it -> " \"" + EscapedText.inLine(it)
        + "\"").collect(Collectors.joining()));
    }
    String range = String.format(Locale.ROOT, "%s %s, min %.5g, max %.5g, mean %.5g%s", EscapedText
      .inLine(name), type, min, max, mean,
      notNumbers == 0 ? "" : ", NaN " + notNumbers);
    String scores = top.stream().map(it -> String.format(Locale.ROOT, "%d: %.5g", it.index(), it.value()))
      .collect(Collectors
        .joining(", "));
    return top.isEmpty() ? range : "%s; top-%d %s".formatted(range, top.size(), scores);
  }

  private boolean isOfNumbers() {
    return first.isEmpty() && !type.startsWith(DType.STRING.toString()) && type.indexOf(' ') < 0;
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", name);
    document.put("type", type);
    if (!isOfNumbers()) {
      document.put("first", first);
      return document;
    }
    document.put("min", min);
    document.put("max", max);
    document.put("mean", mean);
    document.put("notNumbers", notNumbers);
    document.put("top", top.stream().map(it -> List.of(it.index(), it.value())).toList());
    return document;
  }
}
