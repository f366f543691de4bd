package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Warmup;
import dev.cairn.kernels.cpu.vector.VectorModule;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * The process that measures one engine with one model, and prints one {@link Measurement}: {@code --engine cairn|ort
 * --model FILE --threads N --callers N --seconds S --warmup-seconds S}. Apart from the parent, so that its peak of
 * resident memory is the engine's own and no other engine's threads run beside it.
 */
public final class OneModel {
  /** Enough for a median, however slow the model. */
  private static final int LEAST_RUNS = 5;
  /** The JVM compiles after numbers of runs and not of seconds: slow models warm up for longer. */
  private static final int LEAST_RUNS_OF_A_WARMUP_SECOND = 6;

  private OneModel() {}

  /** Exit code 0 and one line on standard output, or an exception. */
  public static void main(String[] arguments) throws OrtException, IOException {
    boolean _ = VectorModule.load();
    Map<String, String> given = options(arguments);
    System.out.println(measure(Request.of(given)));
  }

  /**
   * The model to measure.
   *
   * @param callers threads that run the model at the same time
   * @param seconds for how long runs are timed, at least
   * @param warmupSeconds for how long runs are made before that, at least; then, unless it is less than a second, until
   *     the JVM's compilers rest
   */
  record Request(EngineChoice engine, Path model, int threads, int callers, double seconds, double warmupSeconds) {
    static Request of(Map<String, String> options) {
      return new Request(EngineChoice.of(option(options, "--engine")), Path.of(option(options, "--model")),
        Integer.parseInt(option(options, "--threads")), Integer.parseInt(option(options, "--callers")),
        Double.parseDouble(option(options, "--seconds")),
        Double.parseDouble(option(options, "--warmup-seconds")));
    }

    int leastWarmupRuns() {
      return Math.max(1, (int) Math.ceil(warmupSeconds * LEAST_RUNS_OF_A_WARMUP_SECOND));
    }

    List<String> arguments() {
      return List.of("--engine", engine.toString(), "--model", model.toString(), "--threads", Integer.toString(threads),
        "--callers", Integer.toString(callers), "--seconds", Double.toString(seconds), "--warmup-seconds",
        Double.toString(warmupSeconds));
    }
  }

  static Measurement measure(Request request) throws OrtException, IOException {
    // Logback reads its file now. Which library writes the log is the program's choice, so this time is no part of
    // opening.
    LoggerFactory.getLogger(OneModel.class);
    long started = System.nanoTime();
    try (EngineUnderTest engine = request.engine().open(request.model(), request.threads());
      Arena arena = Arena.ofShared()) {
      long openNanos = System.nanoTime() - started;
      engine.bind(GeneratedInputs.of(engine.inputs(), arena));
      timedAlone(engine, request.warmupSeconds(), request.leastWarmupRuns());
      if (request.warmupSeconds() >= 1) {
        Warmup.untilCompiled(() -> timed(engine, request.callers(), 1.0 / 4));
      }
      Sample nanos = timed(engine, request.callers(), request.seconds());
      long peakBytes = Machine.peakResidentBytes();
      return new Measurement(request.engine(), openNanos, Math.round(nanos.median()), Math.round(nanos.percentile(90)),
        nanos.values().size(), peakBytes, engine.digest());
    }
  }

  private static Sample timed(EngineUnderTest engine, int callers, double seconds) throws OrtException {
    return callers == 1
      ? timedAlone(engine, seconds, LEAST_RUNS)
      : Callers.timed(engine, callers, seconds, LEAST_RUNS);
  }

  private static Sample timedAlone(EngineUnderTest engine, double seconds, int least) throws OrtException {
    List<Long> nanos = new ArrayList<>();
    long first = System.nanoTime();
    long now = first;
    while (nanos.size() < least || now - first < seconds * 1e9) {
      long before = now;
      engine.run();
      now = System.nanoTime();
      nanos.add(now - before);
    }
    return Sample.of(nanos);
  }

  private static Map<String, String> options(String... arguments) {
    if (arguments.length % 2 != 0) {
      throw new IllegalArgumentException("not names and values: arguments=" + List.of(arguments));
    }
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    return options;
  }

  private static String option(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("an option is missing: option=" + name);
    }
    return value;
  }
}
