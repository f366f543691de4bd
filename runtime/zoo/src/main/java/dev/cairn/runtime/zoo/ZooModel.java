package dev.cairn.runtime.zoo;

import dev.cairn.runtime.graph.Graph;

/** One reference model. To add one, write a class and add it to the list in {@link Zoo}. */
interface ZooModel {
  /** The name by which it is chosen: lower case, digits and underscores. */
  String name();

  /** One line: what it is, how large, what goes in and what comes out. */
  String description();

  /** @throws IllegalArgumentException when the options ask for more than the model has, such as positions */
  Graph build(ZooOptions options);
}
