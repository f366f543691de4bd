package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A style class for each buffer: by the kind of its owner, the kinds that take the most bytes for the longest first;
 * where no kinds are known, by turns, so that neighbours differ.
 */
final class KindColours {
  /** Classes {@code c0} and on. */
  static final int COLOURS = 8;
  static final String SCRATCH = "w";
  static final String OTHERS = "o";

  private final PlanView view;
  private final Map<String, String> classes = new LinkedHashMap<>();
  private final boolean hasOthers;
  private final boolean hasScratch;

  KindColours(PlanView view) {
    this.view = view;
    List<String> kinds = byArea(view);
    for (int i = 0; i < kinds.size() && i < COLOURS; i++) {
      classes.put(kinds.get(i), "c" + i);
    }
    hasOthers = kinds.size() > COLOURS;
    hasScratch = view.labels().stream().anyMatch(BufferLabel::scratch);
  }

  private static List<String> byArea(PlanView view) {
    Map<String, Double> areas = new HashMap<>();
    for (int i = 0; i < view.problem().size(); i++) {
      BufferLabel label = view.labels().get(i);
      Buffer buffer = view.problem().buffer(i);
      if (!label.kind().isEmpty() && !label.scratch()) {
        areas.merge(label.kind(), (double) buffer.reservedBytes() * buffer.lifetime().length(), Double::sum);
      }
    }
    return areas.entrySet().stream()
      .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()).thenComparing(
        Map.Entry.comparingByKey()))
      .map(Map.Entry::getKey).toList();
  }

  String of(int buffer) {
    BufferLabel label = view.labels().get(buffer);
    return label.kind().isEmpty() && !label.scratch() ? "c" + buffer % COLOURS : of(label.kind(), label.scratch());
  }

  /** The class of buffers that steps of this operator write. */
  String of(String operator, boolean scratch) {
    return scratch ? SCRATCH : classes.getOrDefault(operator, OTHERS);
  }

  /** The meaning of each class, by class; empty when they mean nothing. */
  Map<String, String> legend() {
    Map<String, String> legend = new LinkedHashMap<>();
    classes.forEach((kind, cssClass) -> legend.put(cssClass, kind));
    if (hasOthers) {
      legend.put(OTHERS, "other operators");
    }
    if (hasScratch) {
      legend.put(SCRATCH, "scratch memory of kernels");
    }
    return legend;
  }
}
