package dev.cairn.benchmarks.busy;

import java.util.Locale;

/** What is done on a busy machine. */
enum BusyWork {
  TRAINING("train `lenet`, 64 images"),
  PERCEPTRON("run `mlp`"),
  CHAIN("ten products of 256x256");

  private final String words;

  BusyWork(String words) {
    this.words = words;
  }

  /** For people. */
  String words() {
    return words;
  }

  /** For the last line. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
