package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import dev.cairn.benchmarks.written.EncoderModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** {@code quantized}: a dynamically quantised encoder beside its float form and beside ONNX Runtime. */
public final class QuantizedBenchmark implements Benchmark {
  private static final double MOST_OF_FLOATS = 1.15;
  private static final double MOST_OF_ORT = 1.3;
  private static final double MOST_OF_FILE = 1.05;

  /** One model in one engine. */
  private enum Side {
    JAVA("Cairn, Java alone", true, EngineChoice.WITHOUT_ONEDNN),
    JAVA_FLOATS("Cairn, Java alone", false, EngineChoice.WITHOUT_ONEDNN),
    ONEDNN("Cairn", true, EngineChoice.CAIRN),
    ONEDNN_FLOATS("Cairn", false, EngineChoice.CAIRN),
    ORT("ONNX Runtime", true, EngineChoice.ORT),
    ORT_FLOATS("ONNX Runtime", false, EngineChoice.ORT);

    private final String engine;
    private final boolean quantized;
    private final EngineChoice choice;

    Side(String engine, boolean quantized, EngineChoice choice) {
      this.engine = engine;
      this.quantized = quantized;
      this.choice = choice;
    }
  }

  /** Measurements of all sides, one after the other. */
  private record Turn(Map<Side, Measurement> measurements) {
    double nanos(Side side) {
      return Objects.requireNonNull(measurements.get(side)).medianNanos();
    }
  }

  @Override
  public String name() {
    return "quantized";
  }

  @Override
  public String description() {
    return "a quantised encoder: latency beside float32 and ONNX Runtime in the same run, and its weights in memory";
  }

  @Override
  public String options() {
    return ModelsOptions.OF_WRITTEN;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException, InterruptedException {
    ModelsOptions options = ModelsOptions.parse(arguments, Runtime.getRuntime().availableProcessors());
    Origin origin = Origin.here(name(), arguments);
    try (var folder = new TemporaryFolder()) {
      Path quantized = Files.write(folder.path().resolve("quantized.onnx"), EncoderModel.of(true).file());
      Path floats = Files.write(folder.path().resolve("floats.onnx"), EncoderModel.of(false).file());
      double ofFile = (double) PlanFigures.weightBytes(quantized) / Files.size(quantized);
      var children = new ChildJvm(folder.path(), ModelsBenchmark.LIMIT_OF_A_PROCESS);
      List<Turn> turns = new ArrayList<>();
      for (int i = 0; i < options.rounds(); i++) {
        turns.add(turn(i, quantized, floats, options, children));
      }
      return new RatiosPage("Quantised models: an int8 encoder beside float32 and ONNX Runtime", origin, options, List
        .of(section(turns, ofFile))).publish(name(), places.page(name()));
    }
  }

  private static Turn turn(int number, Path quantized, Path floats, ModelsOptions options, ChildJvm children)
    throws IOException, InterruptedException {
    List<Side> sides = number % 2 == 0 ? List.of(Side.values()) : List.of(Side.values()).reversed();
    Map<Side, Measurement> measurements = new EnumMap<>(Side.class);
    for (Side side : sides) {
      Measurement one = Comparison.measure(side.choice, side.quantized ? quantized : floats, options.threads()
        .getFirst(), 1, options, children);
      System.err.printf("%-20s %-8s %.2fms%n", side.engine, side.quantized ? "int8" : "float32", one.millis());
      measurements.put(side, one);
    }
    Measurement ort = Objects.requireNonNull(measurements.get(Side.ORT));
    for (Side side : List.of(Side.JAVA, Side.ONEDNN)) {
      if (!Objects.requireNonNull(measurements.get(side)).outputs().agreesWith(ort.outputs())) {
        throw new IllegalStateException("the engines computed different outputs: measurements=" + measurements);
      }
    }
    return new Turn(measurements);
  }

  private static Section section(List<Turn> turns, double ofFile) {
    var table = new MarkdownTable("engine", "weights", "ms");
    for (Side side : Side.values()) {
      table.row(side.engine, side.quantized ? "int8" : "float32", MarkdownTable.number(3, Sample.of(turns.stream()
        .map(it -> it.nanos(side) / 1e6).toList()).median()));
    }
    Sample java = ratios(turns, Side.JAVA, Side.JAVA_FLOATS);
    Sample oneDnn = ratios(turns, Side.ONEDNN, Side.ORT);
    return new Section("An encoder of 6 layers, 384 wide, 128 tokens", """
      Weights are `int8`; activations are quantised in each run. Latency is the median over the rounds. In Java alone,
      `int8` takes %s times as long as `float32`; with oneDNN, %s times as long as ONNX Runtime's `int8`: the medians of
      the rounds' ratios, and their ranges. Weights take %.3f times the bytes of the model's file.
      """.formatted(java.withSpread(), oneDnn.withSpread(), ofFile), table, List.of(Figure.judged("java/float32", java
      .median(), 2, Goal.atMost(MOST_OF_FLOATS)), Figure.judged("int8/onnxruntime", oneDnn.median(), 2,
        Goal.atMost(
          MOST_OF_ORT)),
      Figure.judged("weights/file", ofFile, 3, Goal.atMost(MOST_OF_FILE))));
  }

  private static Sample ratios(List<Turn> turns, Side above, Side below) {
    return Sample.of(turns.stream().map(it -> it.nanos(above) / it.nanos(below)).toList());
  }
}
