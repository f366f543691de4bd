package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import java.util.List;

/** Images {@code N,H,W,C} as {@code N,C,H,W} and back: of any rank, as a batch of matrices of pixels and channels. */
final class ChannelsLastImages {
  private ChannelsLastImages() {}

  /** Channels become the second axis. */
  static GraphExpression first(Replacement made, GraphExpression x) {
    GraphExpression batch = x.extents(Attributes.NONE.with("end", 1));
    GraphExpression spatial = x.extents(Attributes.NONE.with("start", 1).with("end", -1));
    GraphExpression channels = x.extents(Attributes.NONE.with("start", -1));
    GraphExpression pixels = made.longs("pixels", -1);
    GraphExpression turned = x.reshapeKeeping(batch.concat(0, List.of(pixels, channels))).transpose(0, 2, 1);
    return turned.reshapeKeeping(batch.concat(0, List.of(channels, spatial)));
  }

  /** Channels become the last axis, by the last node. */
  static GraphExpression last(Replacement made, GraphExpression x) {
    return back(made, x, true);
  }

  /** Channels become the last axis. */
  static GraphExpression back(Replacement made, GraphExpression x) {
    return back(made, x, false);
  }

  private static GraphExpression back(Replacement made, GraphExpression x, boolean isLast) {
    GraphExpression batch = x.extents(Attributes.NONE.with("end", 1));
    GraphExpression channels = x.extents(Attributes.NONE.with("start", 1).with("end", 2));
    GraphExpression spatial = x.extents(Attributes.NONE.with("start", 2));
    GraphExpression pixels = made.longs("pixels", -1);
    GraphExpression turned = x.reshapeKeeping(batch.concat(0, List.of(channels, pixels))).transpose(0, 2, 1);
    return (isLast ? made.last(turned) : turned).reshapeKeeping(batch.concat(0, List.of(spatial, channels)));
  }
}
