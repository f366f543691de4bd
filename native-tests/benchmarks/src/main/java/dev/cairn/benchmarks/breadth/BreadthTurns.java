package dev.cairn.benchmarks.breadth;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Warmup;
import dev.cairn.benchmarks.models.EngineUnderTest;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of a run in each engine, from short turns that alternate in one process. The least of the turns counts:
 * whatever else runs on the machine only adds to a turn.
 *
 * @param cairnNanos of a run, for each turn
 * @param ortNanos of a run, for each turn
 */
record BreadthTurns(Sample cairnNanos, Sample ortNanos) {

  /**
   * How long is measured.
   *
   * @param turns of each engine
   * @param seconds of a turn
   * @param rests how often the JVM's compilers must have rested for a span of time before the first turn
   * @param warmSpans the most spans of time until each of these rests
   */
  record Effort(int turns, double seconds, int rests, int warmSpans) {
    static final Effort WHOLE = new Effort(15, 0.008, 3, 20);
    static final Effort QUICK = new Effort(3, 0.002, 1, 1);
    private static final double WARM_SECONDS = 0.2;
  }

  /** Warms both engines up until the JVM has compiled, and lets them take turns. */
  static BreadthTurns taken(BothEngines engines, Effort effort) throws OrtException {
    // Compilers that other work of the machine keeps waiting seem to rest.
    for (int again = 0; again < effort.rests(); again++) {
      Warmup.untilCompiled(Effort.WARM_SECONDS, effort.warmSpans(), engines.cairn()::run);
    }
    engines.ort().run();
    long cairnRuns = runs(engines.cairn(), effort);
    long ortRuns = runs(engines.ort(), effort);
    List<Double> cairn = new ArrayList<>();
    List<Double> ort = new ArrayList<>();
    for (int turn = 0; turn < effort.turns(); turn++) {
      cairn.add(turn(engines.cairn(), cairnRuns));
      ort.add(turn(engines.ort(), ortRuns));
    }
    return new BreadthTurns(Sample.of(cairn), Sample.of(ort));
  }

  /** How many runs make a turn. */
  private static long runs(EngineUnderTest engine, Effort effort) throws OrtException {
    double nanos = Math.min(timed(engine, 1), Math.min(timed(engine, 2), timed(engine, 4)));
    return Math.max(1, Math.round(effort.seconds() * 1e9 / nanos));
  }

  /** A third more runs go before, which are not timed: in them the other engine's threads stop spinning. */
  private static double turn(EngineUnderTest engine, long runs) throws OrtException {
    double unused = timed(engine, Math.ceilDiv(runs, 3));
    assert unused >= 0;
    return timed(engine, runs);
  }

  private static double timed(EngineUnderTest engine, long runs) throws OrtException {
    long start = System.nanoTime();
    for (long run = 0; run < runs; run++) {
      engine.run();
    }
    return (double) (System.nanoTime() - start) / runs;
  }

  /** Cairn's least time over ONNX Runtime's. */
  double ratio() {
    return cairnNanos.min() / ortNanos.min();
  }
}
