package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.text.FigureText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * How long many runs took: percentiles to three digits, and every time as it was measured, if kept.
 *
 * @param elapsedNanos from the start of the first run to the end of the last
 */
record BenchTimes(Histogram histogram, List<OfThread> threads, long elapsedNanos) {
  private static final int DIGITS = 3;

  /** The times of one thread, as they come; each one is kept only when asked for, so that a run of days has room. */
  static final class OfThread {
    private final int thread;
    private final boolean keepsAll;
    private final Histogram histogram = new Histogram(DIGITS);
    private long[] starts = new long[64];
    private long[] nanos = new long[64];
    private int count;
    private long firstStart = Long.MAX_VALUE;
    private long lastEnd = Long.MIN_VALUE;

    OfThread(int thread, boolean keepsAll) {
      this.thread = thread;
      this.keepsAll = keepsAll;
    }

    void add(long start, long time) {
      firstStart = Math.min(firstStart, start);
      lastEnd = start + time;
      histogram.recordValue(Math.max(1, time));
      if (keepsAll) {
        keep(start, time);
      }
    }

    private void keep(long start, long time) {
      if (count == nanos.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      starts[count] = start;
      nanos[count++] = time;
    }
  }

  static BenchTimes of(List<OfThread> threads) {
    var all = new Histogram(DIGITS);
    threads.forEach(it -> all.add(it.histogram));
    long first = threads.stream().mapToLong(it -> it.firstStart).min().orElse(0);
    long last = threads.stream().mapToLong(it -> it.lastEnd).max().orElse(0);
    return new BenchTimes(all, List.copyOf(threads), all.getTotalCount() == 0 ? 0 : last - first);
  }

  long runs() {
    return histogram.getTotalCount();
  }

  long medianNanos() {
    return histogram.getValueAtPercentile(50);
  }

  double runsPerSecond() {
    return elapsedNanos == 0 ? 0 : runs() * 1e9 / elapsedNanos;
  }

  String text(List<Double> percentiles) {
    String values = percentiles.stream().map(it -> "p%s %s, ".formatted(FigureText.number(it), FigureText.time(histogram
      .getValueAtPercentile(it)))).collect(Collectors.joining());
    return "%smin %s, max %s, mean %s, deviation %s".formatted(values, FigureText.time(histogram.getMinValue()),
      FigureText.time(histogram.getMaxValue()), FigureText.time(Math.round(histogram.getMean())), FigureText.time(Math
        .round(histogram.getStdDeviation())));
  }

  Map<String, Object> document(List<Double> percentiles) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("runs", runs());
    percentiles.forEach(it -> document.put("p" + FigureText.number(it) + "Nanos", histogram.getValueAtPercentile(it)));
    document.put("medianNanos", medianNanos());
    document.put("minNanos", histogram.getMinValue());
    document.put("maxNanos", histogram.getMaxValue());
    document.put("meanNanos", Math.round(histogram.getMean()));
    document.put("deviationNanos", Math.round(histogram.getStdDeviation()));
    return document;
  }

  /** One line for each run that was kept, thread by thread; starts count from the first of all. */
  String lines() {
    long origin = threads.stream().mapToLong(it -> it.firstStart).min().orElse(0);
    var text = new StringBuilder("thread,startNanos,nanos\n");
    for (OfThread it : threads) {
      for (int i = 0; i < it.count; i++) {
        text.append(String.format(Locale.ROOT, "%d,%d,%d\n", it.thread, it.starts[i] - origin, it.nanos[i]));
      }
    }
    return text.toString();
  }
}
