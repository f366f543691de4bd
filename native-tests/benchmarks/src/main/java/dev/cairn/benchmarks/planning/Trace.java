package dev.cairn.benchmarks.planning;

import java.util.List;

/** The traces of training runs, and what their plans should come to. */
enum Trace {
  RESNET_50("ResNet-50", "resnet50.csv", List.of(new Limit(1, 1.0))),
  G_1("G_1", "G_1.csv", List.of(new Limit(10, 1.0))),
  PANGU("PanGu-2.6B", "pangu_2.6B.csv", List.of(new Limit(2, 1.02), new Limit(10, 1.01))),
  S_1("S_1", "S_1.csv", List.of(new Limit(10, 1.01)));

  private final String title;
  private final String file;
  private final List<Limit> limits;

  /** How small a plan should be after so many seconds. */
  record Limit(int seconds, double mostRatio) {}

  Trace(String title, String file, List<Limit> limits) {
    this.title = title;
    this.file = file;
    this.limits = limits;
  }

  String title() {
    return title;
  }

  String file() {
    return file;
  }

  List<Limit> limits() {
    return limits;
  }
}
