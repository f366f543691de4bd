package dev.cairn.runtime.session;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Random graphs over lists of whole numbers, of which values decide how long they are. */
final class RandomValueShapes {
  private final SplittableRandom random;
  private final GraphBuilder builder;
  private final List<NodeEntry> lists = new ArrayList<>();

  RandomValueShapes(long seed, int nodes) {
    random = new SplittableRandom(seed);
    builder = new GraphBuilder("values" + seed);
    for (String name : List.of("x", "y")) {
      lists.add(builder.input(name, new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol(name + "Length")))));
    }
    lists.add(builder.constant("c", TensorView.ofFloats(Shape.of(4), 1, -2, 0, 3)));
    for (int i = 0; i < nodes; i++) {
      lists.add(next());
    }
    for (int i = 0; i < 3; i++) {
      builder.output("out" + i, lists.get(lists.size() - 1 - random.nextInt(Math.min(5, lists.size()))));
    }
  }

  Graph graph() {
    return builder.build();
  }

  private NodeEntry any() {
    int back = random.nextBoolean() ? Math.min(3, lists.size()) : lists.size();
    return lists.get(lists.size() - 1 - random.nextInt(back));
  }

  private NodeEntry scalar(String name, long value) {
    return builder.constant(name, TensorView.ofLongs(value).reshaped(Shape.SCALAR));
  }

  private NodeEntry zeros() {
    return builder.constant("zeros", TensorView.ofFloats(Shape.of(1), 0));
  }

  private NodeEntry positive(NodeEntry list) {
    return builder.apply("Greater", list, zeros());
  }

  /** How many numbers of a list are positive, as a list of one number. */
  private NodeEntry count(NodeEntry list) {
    return builder.apply("ReduceSum", Attributes.of(Map.of("keepdims", new AttributeValue.Int(1))),
      builder.apply("Cast", Attributes.of(Map.of("to", new AttributeValue.Text("int64"))),
        positive(list)));
  }

  private NodeEntry next() {
    NodeEntry a = any();
    NodeEntry sum = builder.apply("ReduceSum", Attributes.of(Map.of("keepdims", new AttributeValue.Int(1))), any());
    return switch (random.nextInt(16)) {
      case 0 -> builder.apply("Neg", a);
      case 1 -> builder.apply("Add", a, sum);
      case 2 -> builder.apply("Max", builder.apply("Neg", a), sum);
      case 3 -> builder.apply("Concat", Attributes.of(Map.of("axis", new AttributeValue.Int(0))), a, any());
      case 4 -> builder.apply("Compress", a, positive(a));
      case 5 -> builder.apply("Gather", a, builder.apply("Reshape", builder.apply("NonZero", a), builder.constant(
        "flat", TensorView.ofLongs(-1))));
      case 6 -> builder.apply("Unique", a);
      case 7 -> builder.apply("Slice", a, builder.constant("from", TensorView.ofLongs(0)), count(any()));
      case 8 -> builder.applyForAll("TopK", Attributes.NONE, 2, a, count(a)).getFirst();
      case 9 -> builder.apply("Cast", Attributes.of(Map.of("to", new AttributeValue.Text("float32"))),
        builder.apply("Range", scalar("zero", 0), builder
          .apply("Squeeze", count(a)), scalar("one", 1)));
      case 10 -> builder.apply("Expand", sum, builder.apply("Shape", a));
      case 11 -> builder.apply("Cast", Attributes.of(Map.of("to", new AttributeValue.Text("float32"))),
        builder.apply("Shape", a));
      case 12 -> builder.apply("Tile", sum, count(a));
      case 13 -> builder.apply("Pad", a, builder.apply("Concat", Attributes.of(Map.of("axis", new AttributeValue.Int(
        0))), builder.constant("none", TensorView.ofLongs(0)), count(any())));
      case 14 -> builder.apply("Expand", sum, count(a));
      default -> builder.apply("Min", a, builder.constant("most", TensorView.ofFloats(Shape.of(1), 1000)));
    };
  }
}
