package dev.cairn.runtime.pass.gradient;

import dev.cairn.runtime.operator.gradient.GradientTable;
import dev.cairn.runtime.operator.gradient.StandardGradients;

/**
 * How gradients are built.
 *
 * @param table the gradients of operators
 * @param aggregation how the terms of one gradient are added
 * @param mirror which nodes are computed again instead of kept
 */
public record GradientOptions(GradientTable table, Aggregation aggregation, MirrorChoice mirror) {
  public static final GradientOptions DEFAULT = new GradientOptions(StandardGradients.table(), Aggregation.CHAIN,
    MirrorChoice.NONE);

  public GradientOptions withTable(GradientTable other) {
    return new GradientOptions(other, aggregation, mirror);
  }

  public GradientOptions withAggregation(Aggregation other) {
    return new GradientOptions(table, other, mirror);
  }

  public GradientOptions withMirror(MirrorChoice other) {
    return new GradientOptions(table, aggregation, other);
  }
}
