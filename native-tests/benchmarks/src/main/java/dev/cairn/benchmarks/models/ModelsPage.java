package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Origin;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The figures as a page of Markdown. The same figures always make the same text.
 *
 * @param models at least one, all measured with the same numbers of threads
 * @param skipped names of models that are not there
 * @param machine what was measured once
 */
record ModelsPage(List<ModelFigures> models, List<String> skipped, ModelsOptions options, MachineFigures machine) {

  /**
   * @param onnxRuntime its version
   * @param verdict the benchmark's last line
   */
  String text(Origin origin, String onnxRuntime, String verdict) {
    var text = new StringBuilder("""
      # Models: plans, latency and memory, beside ONNX Runtime

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md). What a process
      holds beside weights and plan, and where the time of opening goes: [models-memory](models-memory.md).

      %s
      - Rounds: %d; each one process of Cairn and one of ONNX Runtime %s; %.1f s of warm-up, up to 12 s more until the
        JVM compiles no more, then %.1f s timed
      - Verdict: `%s`
      """.formatted(origin, options.rounds(), onnxRuntime, options.warmupSeconds(), options.seconds(), verdict));
    if (options.quick()) {
      text.append("- A quick run: these figures show that everything works, and nothing else\n");
    }
    if (!skipped.isEmpty()) {
      text.append("- Skipped, no data: %s%n".formatted(String.join(", ", skipped)));
    }
    text.append(plans());
    options.threads().forEach(threads -> text.append(comparisons(threads)));
    if (options.parts()) {
      text.append(concurrent()).append(parts());
    }
    text.append(bfloat16()).append(firstResult());
    notFinite(text);
    return text.toString();
  }

  private String plans() {
    var table = new MarkdownTable("model", "plan peak, MB", "/ lower bound", "/ unshared total", "steps", "buffers",
      "planning, ms: first", "again");
    models.forEach(model -> table.row(cells(model.name(), model.plan())));
    table.row("geometric mean", "", number(4, mean(it -> it.plan().ofBound())), number(4, mean(it -> it.plan()
      .ofSeparate())), "", "", "", "");
    return """

      ## Plans

      Intermediate results, outputs and workspaces; weights come on top. The goal: a geometric mean of at most %s
      times the lower bound, which is the most bytes that live at one time. The unshared total gives every result bytes
      of its own. The first planning of a model is done by a JVM that has planned only the models above it; "again" is
      the median of %d plannings after that.

      %s
      """.formatted(number(2, ModelsVerdict.MAX_OF_BOUND), options.planRepeats(), table);
  }

  private static String[] cells(String name, PlanFigures plan) {
    return new String[] {name, number(3, plan.peakBytes() / 1e6), number(4, plan.ofBound()),
      number(4, plan.ofSeparate()), Integer.toString(plan.steps()), Integer.toString(plan.buffers()),
      number(2, plan.firstNanos() / 1e6), number(2, plan.medianNanos() / 1e6)};
  }

  private String comparisons(int threads) {
    var table = new MarkdownTable("model", "Cairn, ms", "p90", "ONNX Runtime, ms", "p90", "speed-up (spread)",
      "open, ms: Cairn", "ONNX Runtime", "ratio", "peak resident, MB: Cairn", "ONNX Runtime", "ratio");
    models.forEach(model -> table.row(cells(model.name(), model.at(threads))));
    table.row("geometric mean", "", "", "", "", number(2, mean(it -> it.at(threads).speedups().median())), "", "",
      number(2, mean(it -> it.at(threads).openRatio())), "", "", number(2, mean(it -> it.at(threads).memoryRatio())));
    return """

      ## %d thread%s

      Latency of one run; the median over the rounds of each process's median and 90th percentile. The speed-up is ONNX
      Runtime's latency over Cairn's, above 1 where Cairn is faster: the median of the rounds' ratios, and their
      range.

      %s
      """.formatted(threads, threads == 1 ? "" : "s", table);
  }

  private String concurrent() {
    var table = new MarkdownTable("model", "Cairn, ms a run", "ONNX Runtime, ms a run", "throughput (spread)");
    for (ModelFigures model : models) {
      model.concurrent().ifPresent(it -> table.row(model.name(), number(3, it.cairn(Measurement::millis)), number(3, it
        .ort(Measurement::millis)), it.speedups().withSpread()));
    }
    table.row("geometric mean", "", "", number(2, mean(ModelsVerdict::throughput)));
    return """

      ## Two runs at a time

      Two callers of one session, with one thread for each operator. The time of a run is the time of all runs by their
      number; throughput is ONNX Runtime's time over Cairn's.

      %s
      """.formatted(table);
  }

  private String bfloat16() {
    List<ModelFigures> measured = models.stream().filter(it -> it.bfloat16().isPresent()).toList();
    if (measured.isEmpty()) {
      return "";
    }
    var table = new MarkdownTable("model", "bfloat16, ms", "float32, ms", "ONNX Runtime, float32, ms",
      "speed-up (spread)", "peak resident, MB: bfloat16", "ONNX Runtime");
    for (ModelFigures model : measured) {
      Comparison one = model.bfloat16().orElseThrow();
      table.row(model.name(), number(3, one.cairn(Measurement::millis)), number(3, model.at(one.threads()).cairn(
        Measurement::millis)), number(3, one.ort(Measurement::millis)), one.speedups().withSpread(), number(0,
          one
            .cairn(Measurement::peakBytes) / 1e6),
        number(0, one.ort(Measurement::peakBytes) / 1e6));
    }
    return """

      ## bfloat16

      Cairn with `--precision bfloat16`, beside ONNX Runtime in `float32`, with %d thread%s. The goal, twice as fast,
      holds for processors with AMX. Here: %s.

      %s
      """.formatted(options.threads().getFirst(), options.threads().getFirst() == 1 ? "" : "s", machine.kernels(),
      table);
  }

  private String firstResult() {
    return """

      ## The first result

      `./cairn run mlp` with one run of the model, once Cairn is built, takes this many seconds: %s.
      """.formatted(machine.firstResult().withSpread());
  }

  private String parts() {
    var table = new MarkdownTable("model", "channels last", "fusion", "oneDNN", "Winograd");
    models.forEach(model -> table.row(gains(model.name(), model::gain)));
    table.row(gains("geometric mean", without -> mean(it -> it.gain(without))));
    return """

      ## What each part gives

      How many times as fast Cairn is as with that part switched off (`--no-channels-last`, `--no-fusion`, `--kernels
      vector`, `--kernels onednn`), with %d thread%s; one process each.

      %s
      """.formatted(options.threads().getFirst(), options.threads().getFirst() == 1 ? "" : "s", table);
  }

  private static String[] gains(String name, ToDoubleFunction<EngineChoice> gain) {
    return Stream.concat(Stream.of(name), EngineChoice.PARTS.stream().map(it -> number(2, gain.applyAsDouble(it))))
      .toArray(String[]::new);
  }

  private static String[] cells(String name, Comparison one) {
    return new String[] {name, number(3, one.cairn(Measurement::millis)),
      number(3, one.cairn(Measurement::p90Nanos) / 1e6), number(3, one.ort(Measurement::millis)),
      number(3, one.ort(Measurement::p90Nanos) / 1e6), one.speedups().withSpread(),
      number(0, one.cairn(Measurement::openNanos) / 1e6), number(0, one.ort(Measurement::openNanos) / 1e6),
      number(2, one.openRatio()),
      number(0, one.cairn(Measurement::peakBytes) / 1e6), number(0, one.ort(Measurement::peakBytes) / 1e6),
      number(2, one.memoryRatio())};
  }

  private double mean(ToDoubleFunction<ModelFigures> figure) {
    return ModelsVerdict.geometricMean(models, figure);
  }

  private void notFinite(StringBuilder text) {
    List<String> names = models.stream()
      .filter(it -> it.comparisons().get(0).rounds().get(0).cairn().outputs().notFinite() > 0)
      .map(ModelFigures::name).toList();
    if (!names.isEmpty()) {
      text.append("""

        Models whose outputs are not all finite, in both engines: %s. Such numbers may take longer than others.
        """.formatted(String.join(", ", names)));
    }
  }

  private static String number(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
