package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The graph's form is that of inference, with one result. In training, the statistics are computed before it, of a
 * tensor {@code [N,C,rest]}:
 *
 * <pre>
 * y = BatchNormalization(x, scale, bias, mean of x, variance of x)
 * running = given * momentum + computed * (1 - momentum)
 * </pre>
 */
final class BatchNormalizationUpgrade implements Upgrade {
  private static final float MOMENTUM = 0.9f;

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes plain = old.attributes().without("momentum").without("training_mode");
    return old.attributes().getFlag("training_mode", false)
      ? new Training(old, scope).results(plain)
      : scope.node(old.withAttributes(plain));
  }

  /** The nodes of one use in training. */
  private record Training(OldNode old, UpgradeScope scope) {
    List<NodeEntry> results(Attributes plain) {
      NodeEntry folded = node("Reshape", old.input(0), scope.longs(old, "folded", 0, 0, -1));
      NodeEntry mean = node("ReduceMean", folded, axes());
      NodeEntry distance = node("Sub", folded, mean);
      NodeEntry variance = node("ReduceMean", node("Mul", distance, distance), axes());
      List<NodeEntry> statistics = List.of(channels(mean, 3), channels(variance, 4));
      List<NodeEntry> results = new ArrayList<>(scope.node(new OldNode(old.name(), old.operator(), plain, List.of(old
        .input(0), old.input(1), old.input(2), statistics.get(0), statistics.get(1)), 1)));
      for (int i = 1; i < old.outputs(); i++) {
        results.add(running(old.input(i + 2), statistics.get(i - 1)));
      }
      return results;
    }

    private NodeEntry axes() {
      return scope.longs(old, "axes", 0, 2);
    }

    private NodeEntry channels(NodeEntry statistic, int like) {
      return node("CastLike", node("Reshape", statistic, scope.longs(old, "channels", -1)), old.input(like));
    }

    private NodeEntry running(NodeEntry given, NodeEntry computed) {
      float momentum = old.attributes().getFloat("momentum", MOMENTUM);
      NodeEntry kept = node("Mul", given, node("CastLike", scope.single(old, "momentum", momentum), given));
      return node("Add", kept, node("Mul", computed, node("CastLike", scope.single(old, "rest", 1 - momentum), given)));
    }

    private NodeEntry node(String operator, NodeEntry... inputs) {
      return scope.node(old, operator, Attributes.NONE, inputs);
    }
  }
}
