package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Both engines on one model with as many threads, several rounds of one process each.
 *
 * @param threads that one operator may use
 * @param callers threads that run the model at the same time
 * @param rounds in the order in which they were made
 */
record Comparison(int threads, int callers, List<Round> rounds) {
  Comparison {
    rounds = List.copyOf(rounds);
  }

  /** Two measurements, one right after the other. */
  record Round(Measurement cairn, Measurement ort) {
    /** @throws IllegalStateException when the two did not compute the same: their times say nothing then */
    Round {
      if (!cairn.outputs().agreesWith(ort.outputs())) {
        throw new IllegalStateException("the engines computed different outputs: cairn=%s ort=%s"
          .formatted(cairn.outputs(), ort.outputs()));
      }
    }

    /** How many times as fast Cairn is. */
    double speedup() {
      return (double) ort.medianNanos() / cairn.medianNanos();
    }
  }

  /**
   * Measures, one process at a time; which engine goes first changes from round to round.
   *
   * @param cairn which form of Cairn
   */
  static Comparison measured(EngineChoice cairn, Path model, int threads, int callers, ModelsOptions options,
    ChildJvm children) throws IOException, InterruptedException {
    List<EngineChoice> both = List.of(cairn, EngineChoice.ORT);
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < options.rounds(); i++) {
      Map<EngineChoice, Measurement> pair = new EnumMap<>(EngineChoice.class);
      for (EngineChoice engine : i % 2 == 0 ? both : both.reversed()) {
        pair.put(engine, measure(engine, model, threads, callers, options, children));
      }
      rounds.add(new Round(Objects.requireNonNull(pair.get(cairn)), Objects.requireNonNull(pair.get(
        EngineChoice.ORT))));
    }
    return new Comparison(threads, callers, rounds);
  }

  /** One process. */
  static Measurement measure(EngineChoice engine, Path model, int threads, int callers, ModelsOptions options,
    ChildJvm children) throws IOException, InterruptedException {
    var request = new OneModel.Request(engine, model, threads, callers, options.seconds(), options.warmupSeconds());
    return Measurement.find(children.run(OneModel.class, request.arguments()));
  }

  Sample speedups() {
    return Sample.of(rounds.stream().map(Round::speedup).toList());
  }

  /** Cairn's latency over ONNX Runtime's, of each round. */
  Sample ratios() {
    return Sample.of(rounds.stream().map(round -> 1 / round.speedup()).toList());
  }

  /** The median over the rounds of something that Cairn's processes measured. */
  double cairn(ToDoubleFunction<Measurement> figure) {
    return Sample.of(rounds.stream().map(round -> figure.applyAsDouble(round.cairn())).toList()).median();
  }

  /** The median over the rounds of something that ONNX Runtime's processes measured. */
  double ort(ToDoubleFunction<Measurement> figure) {
    return Sample.of(rounds.stream().map(round -> figure.applyAsDouble(round.ort())).toList()).median();
  }

  /** Cairn's time to open the model over ONNX Runtime's. */
  double openRatio() {
    return cairn(Measurement::openNanos) / ort(Measurement::openNanos);
  }

  /** Cairn's peak of resident memory over ONNX Runtime's. */
  double memoryRatio() {
    return cairn(Measurement::peakBytes) / ort(Measurement::peakBytes);
  }
}
