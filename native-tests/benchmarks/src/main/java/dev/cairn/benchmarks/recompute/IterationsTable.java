package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.written.TrainedZooModel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** Training iterations that run within a limit, beside the same ones without: time, losses, memory. */
final class IterationsTable implements RecomputeTable {
  private static final int ROUNDS = 7;
  private static final int PROFILED = 5;
  private static final double MOST_POINTS_OFF = 6;
  private static final double MOST_POINTS_OFF_BY_TIMES = 3;

  /** @param mostPercent what an iteration may take longer */
  private record Subject(String model, long batch, int partPercent, double mostPercent) {}

  /** BERT has a batch of 8: with 1, the step that makes the gradient of its embeddings needs the whole plan. */
  private static final List<Subject> SUBJECTS = List.of(new Subject("mlp", 4096, 85, 35),
    new Subject("resnet50", 2, 50, 5), new Subject("resnet50", 2, 33, 10), new Subject("mobilenet_v2", 4, 35, 8),
    new Subject("bert_base", 8, 50, 5), new Subject("bert_base", 8, 30, 15));

  @Override
  public String name() {
    return "iterations";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) {
    var table = new MarkdownTable("model, part of the plan", "plan, MiB", "without, MiB", "recomputations",
      "counted, %",
      "by times, %", "measured, %", "goal, %", "s without");
    List<Figure> figures = new ArrayList<>();
    double off = 0;
    double offByTimes = 0;
    for (Subject subject : isQuick ? SUBJECTS.subList(0, 1) : SUBJECTS) {
      System.err.printf("recompute        %s%n", subject);
      TrainedZooModel model = TrainedZooModel.of(subject.model, subject.batch);
      MemoryNeed need = ModesTable.need(model);
      long limit = need.besidePlanBytes() + need.planBytes() / 100 * subject.partPercent;
      String key = "%s@%d".formatted(subject.model, subject.partPercent);
      Recomputed done = ModesTable.planned(model, RecomputeMode.SEARCH, limit);
      if (!done.fits()) {
        table.row(key, "-", mib(done.peakWithoutBytes()), "-", "-", "-", "-", number(0, subject.mostPercent),
          "-");
        figures.add(Figure.judged(key, Double.POSITIVE_INFINITY, 1, Goal.atMost(subject.mostPercent)));
        continue;
      }
      Rounds rounds = rounds(model, limit, isQuick ? 1 : ROUNDS);
      Sample ratio = rounds.ratios(0, 1);
      double measured = 100 * (ratio.median() - 1);
      off = Math.max(off, Math.abs(measured - 100 * done.overhead()));
      double byTimes = 100 * byTimes(model, done);
      offByTimes = Math.max(offByTimes, Math.abs(measured - byTimes));
      figures.add(Figure.judged(key, measured, 1, Goal.atMost(subject.mostPercent)));
      table.row(key, mib(done.peakBytes()), mib(done.peakWithoutBytes()),
        Integer.toString(done.recomputations().size()),
        number(1, 100 * done.overhead()), number(1, byTimes),
        "%s (%s..%s)".formatted(number(1, measured), number(1, 100 * (ratio.min()
          - 1)), number(1, 100 * (ratio.max() - 1))),
        number(0, subject.mostPercent), number(2, rounds.of(1).median()));
    }
    figures.add(Figure.judged("points-off", off, 1, Goal.atMost(MOST_POINTS_OFF)));
    figures.add(Figure.judged("points-off-by-times", offByTimes, 1, Goal.atMost(MOST_POINTS_OFF_BY_TIMES)));
    return Optional.of(section(table, figures));
  }

  private static Section section(MarkdownTable table, List<Figure> figures) {
    return new Section("Training iterations, run",
      """
        The same iterations with and without a limit, in turns, one process, all processors; mode `search`. Losses of
        both are equal to the bit in every round, else the benchmark fails. "Measured" is the median of the rounds'
        ratios, with their range. "By times" is what a profile of the iteration without a limit says of the steps that
        run again. Judged: the time, and how many points the count of work and the profile are off.""",
      table, figures);
  }

  /** The share of a profiled iteration without a limit that the steps that run again take. */
  private static double byTimes(TrainedZooModel model, Recomputed done) {
    Tracer tracer = Tracer.keeping(PROFILED);
    Map<String, Tensor> batch = batch(model);
    try (Trainer profiled = model.trainer(SessionOptions.DEFAULT.withObservers(tracer))) {
      for (int i = 0; i < 2 * PROFILED; i++) {
        profiled.iterate(batch);
      }
    } finally {
      batch.values().forEach(Tensor::close);
    }
    Map<String, List<Long>> all = new HashMap<>();
    tracer.trace().runs().forEach(run -> run.steps().forEach(span -> all.computeIfAbsent(run.graph().steps().get(span
      .index()).node(), _ -> new ArrayList<>()).add(span.nanos())));
    Map<String, Long> medians = new HashMap<>();
    all.forEach((node, nanos) -> medians.put(node, nanos.stream().sorted().skip(nanos.size() / 2).findFirst()
      .orElseThrow()));
    double again = 0;
    for (String recomputed : done.recomputations()) {
      again += medians.getOrDefault(recomputed.substring(0, recomputed.lastIndexOf("/again")), 0L);
    }
    return again / medians.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Tensor> batch(TrainedZooModel model) {
    Map<String, Tensor> batch = new LinkedHashMap<>();
    model.types().forEach((name, type) -> batch.put(name, filled(type)));
    return batch;
  }

  private static String mib(long bytes) {
    return number(1, bytes / (double) (1 << 20));
  }

  private static Rounds rounds(TrainedZooModel model, long limit, int rounds) {
    Map<String, Tensor> batch = batch(model);
    try (Trainer within = model.trainer(ModesTable.options(RecomputeMode.SEARCH, limit));
      Trainer without = model.trainer(SessionOptions.DEFAULT)) {
      List<List<Double>> losses = List.of(new ArrayList<>(), new ArrayList<>());
      Rounds played = Rounds.played(rounds, List.of(iteration(within, batch, losses.get(0)), iteration(without, batch,
        losses.get(1))));
      if (!losses.get(0).equals(losses.get(1))) {
        throw new IllegalStateException("losses differ: within=%s without=%s".formatted(losses.get(0), losses.get(1)));
      }
      return played;
    } finally {
      batch.values().forEach(Tensor::close);
    }
  }

  private static DoubleSupplier iteration(Trainer trainer, Map<String, Tensor> batch, List<Double> losses) {
    return () -> {
      long started = System.nanoTime();
      losses.add(trainer.iterate(batch));
      return (System.nanoTime() - started) / 1e9;
    };
  }

  /** Small numbers that repeat: of floats between -1 and 1; of integers 0 and 1, words and token types alike. */
  private static Tensor filled(TensorType type) {
    Shape shape = type.shape();
    int count = Math.toIntExact(shape.elementCount());
    if (type.dtype() == DType.FLOAT32) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = i * 7 % 31 / 16f - 1;
      }
      return Tensor.of(values, shape.extents());
    }
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = i * 7L % 5 % 2;
    }
    return Tensor.of(values, shape.extents());
  }
}
