package dev.cairn.benchmarks.planning;

import java.util.List;

/**
 * A trace of a training run, and what its plans should come to.
 *
 * @param title for people
 * @param file in idealloc's folder
 * @param limits how small a plan should be after so much time
 */
record TrainingTrace(String title, String file, List<Limit> limits) {
  static final List<TrainingTrace> ALL = List.of(
    new TrainingTrace("ResNet-50", "resnet50.csv", List.of(new Limit(1, Limit.ONE))),
    new TrainingTrace("G_1", "G_1.csv", List.of(new Limit(10, Limit.ONE))),
    new TrainingTrace("PanGu-2.6B", "pangu_2.6B.csv", List.of(new Limit(2, 1.02), new Limit(10, 1.01))),
    new TrainingTrace("S_1", "S_1.csv", List.of(new Limit(10, 1.01))));

  TrainingTrace {
    limits = List.copyOf(limits);
  }

  /** How small a plan should be after so many seconds. */
  record Limit(int seconds, double mostRatio) {
    /** 1.0000, to the four digits that others' figures have. */
    static final double ONE = 1.00005;
  }
}
