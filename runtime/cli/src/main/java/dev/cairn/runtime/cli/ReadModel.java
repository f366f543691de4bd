package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.graph.Graph;

/**
 * The model that the command line names, as it was read or built; nothing is planned yet.
 *
 * @param nanos how long reading or building took
 */
record ReadModel(ModelOption option, Graph graph, long nanos) {
  static ReadModel of(ModelOption option, Progress progress) {
    long started = System.nanoTime();
    Graph graph = progress.during("reading " + option.name(), option::load);
    return new ReadModel(option, graph, System.nanoTime() - started);
  }

  /** The name for people, with where the model comes from. */
  String title() {
    return option.isReference()
      ? "%s (reference model, seed %d)".formatted(option.name(), option.seed())
      : "%s (%s)".formatted(option.name(), graph.name());
  }
}
