package dev.cairn.runtime.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The largest types of results whose shapes depend on numbers that a run computes, within limits that are known. */
class BoundsTest {
  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry mask = fixture.input("mask", "bool[5x3]");
  private final NodeEntry scores = fixture.input("scores", "float32[1x7]");
  private final NodeEntry data = fixture.input("data", "float32[1x3]");
  private final NodeEntry anything = fixture.input("anything", "int64[1]");
  private final NodeEntry pair = fixture.input("pair", "float32[2]");
  private int names;

  private NodeEntry apply(String operator, Attributes attributes, NodeEntry... inputs) {
    return Node.apply(operator + names++, operator, attributes, List.of(inputs)).entry();
  }

  private NodeEntry apply(String operator, NodeEntry... inputs) {
    return apply(operator, Attributes.NONE, inputs);
  }

  private NodeEntry longs(long... values) {
    return fixture.constant("c" + names++, TensorView.ofLongs(values));
  }

  private NodeEntry scalar(long value) {
    return fixture.constant("c" + names++, TensorView.ofLong(value));
  }

  private static Attributes keeping(boolean dimensions) {
    return Attributes.of(Map.of("keepdims", new AttributeValue.Int(dimensions ? 1 : 0)));
  }

  /** How many elements of the mask are true, as one number: 0 to 15. */
  private NodeEntry count() {
    return apply("ReduceSum", keeping(false), apply("Cast", Attributes.of(Map.of("to", new AttributeValue.Text(
      "int64"))), mask));
  }

  /** The same as a list. */
  private NodeEntry counts() {
    return apply("Reshape", count(), longs(1));
  }

  /** The place of the largest score, 0 to 6, as a list of one number. */
  private NodeEntry place() {
    return apply("ArgMax", Attributes.of(Map.of("keepdims", new AttributeValue.Int(0), "axis", new AttributeValue.Int(
      1))), scores);
  }

  private Optional<String> bound(NodeEntry entry) {
    Graph graph = fixture.graph(entry);
    KnownPart part = KnownPart.of(graph, GraphFixture.inputTypes(graph), new TypeInference(StandardOperators.table(),
      ValueEvaluator.NONE), _ -> false);
    assertThat(part.open()).as("only a run knows the type").hasSize(1);
    return Optional.ofNullable(part.bounds().get(entry)).map(Object::toString);
  }

  @Test
  void aRangeIsAtMostFromTheLeastStartToTheLargestLimit() {
    assertThat(bound(apply("Range", scalar(2), count(), scalar(1)))).contains("int64[13]");
    assertThat(bound(apply("Range", count(), scalar(-5), scalar(-2)))).contains("int64[10]");
    assertThat(bound(apply("Range", scalar(9), apply("Squeeze", place()), scalar(1)))).contains("int64[0]");
    assertThat(bound(apply("Range", scalar(0), apply("Squeeze", anything), scalar(1)))).isEmpty();
    assertThat(bound(apply("Range", scalar(0), scalar(5), count()))).as("a step may be 0").isEmpty();
  }

  @Test
  void anExtentThatIsNotOneStaysWhenExpanded() {
    NodeEntry wanted = apply("Concat", Attributes.NONE.with("axis", 0), place(), longs(3));
    assertThat(bound(apply("Expand", data, wanted))).contains("float32[6x3]");
    assertThat(bound(apply("Expand", scores, counts()))).contains("float32[1x7]");
    assertThat(bound(apply("Expand", data, anything))).contains("float32[1x3]");
  }

  @Test
  void repeatsAndPadsHaveTheirLargestNumbers() {
    NodeEntry repeats = apply("Concat", Attributes.NONE.with("axis", 0), longs(2), place());
    assertThat(bound(apply("Tile", data, repeats))).contains("float32[2x18]");
    NodeEntry pads = apply("Concat", Attributes.NONE.with("axis", 0), longs(0, -1), longs(1), counts());
    assertThat(bound(apply("Pad", data, pads))).contains("float32[2x17]");
    assertThat(bound(apply("ConstantOfShape", repeats))).contains("float32[2x6]");
  }

  @Test
  void imagesHaveTheirLargestSizes() {
    NodeEntry image = fixture.input("image", "float32[1x1x4x4]");
    NodeEntry side = apply("Max", apply("Add", place(), longs(8)), longs(10));
    NodeEntry sizes = apply("Concat", Attributes.NONE.with("axis", 0), longs(1, 1, 5), side);
    assertThat(bound(apply("Resize", image, Node.absent(), Node.absent(), sizes))).contains("float32[1x1x5x14]");
  }

  @Test
  void aReshapeHasEachExtentsLargestNumber() {
    NodeEntry one = apply("Max", place(), longs(1));
    NodeEntry image = fixture.input("image", "float32[2x6x4]");
    NodeEntry wanted = apply("Concat", Attributes.NONE.with("axis", 0), one, longs(-1), longs(4));
    assertThat(bound(apply("Reshape", image, wanted))).contains("float32[6x12x4]");
    assertThat(bound(apply("Reshape", image, anything))).as("a list").contains("float32[48]");
    NodeEntry open = apply("Concat", Attributes.NONE.with("axis", 0), anything, longs(4));
    assertThat(bound(apply("Reshape", image, open))).isEmpty();
  }

  @Test
  void rangesFollowArithmeticAndDoNotTrustWhatWraps() {
    NodeEntry half = apply("Div", counts(), longs(2));
    assertThat(bound(apply("Tile", pair, half))).contains("float32[14]");
    NodeEntry least = apply("Min", anything, longs(4));
    assertThat(bound(apply("Tile", pair, least))).contains("float32[8]");
    NodeEntry clipped = apply("Clip", anything, longs(1), longs(3));
    assertThat(bound(apply("Tile", pair, clipped))).contains("float32[6]");
    NodeEntry gathered = apply("Gather", longs(4, 9, 2), apply("Min", anything, longs(2)));
    assertThat(bound(apply("Tile", pair, gathered))).contains("float32[18]");
    NodeEntry chosen = apply("Where", apply("Greater", anything, longs(0)), place(), longs(8));
    assertThat(bound(apply("Tile", pair, chosen))).contains("float32[16]");
    NodeEntry huge = apply("Mul", apply("Mul", counts(), longs(1L << 40)), longs(1L << 40));
    assertThat(bound(apply("Tile", pair, huge))).isEmpty();
    NodeEntry bytes = apply("Cast", Attributes.of(Map.of("to", new AttributeValue.Text("int64"))), fixture.input("b",
      "uint8[1]"));
    assertThat(bound(apply("Tile", pair, bytes))).contains("float32[510]");
  }

  @Test
  void aLoopThatMayEndEarlyStacksAtMostAllTrips() {
    NodeEntry x = fixture.input("x", "float32[3]");
    assertThat(bound(loop(scalar(40), fixture.input("on", "bool[scalar]"), x))).contains("float32[40x3]");
    assertThat(bound(loop(count(), Node.absent(), x))).contains("float32[15x3]");
    assertThat(bound(loop(anything, Node.absent(), x))).isEmpty();
  }

  private NodeEntry loop(NodeEntry trips, NodeEntry condition, NodeEntry x) {
    var body = new ControlFixture("loop/body");
    body.parameter("trip");
    NodeEntry on = body.parameter("condition");
    NodeEntry old = body.parameter("x");
    return ControlFixture.loop("loop" + names++, body.body(on, old, old), 1, trips, condition, x).entry(1);
  }
}
