package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notation;
import dev.cairn.runtime.graph.Scalars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Compares gradients with central differences in {@code float64} on portable kernels (G-15). A table has one use of an
 * operator in each line:
 *
 * <pre>
 * Mul([2x3], [3])                              operands of float64 that are drawn; each gets a gradient
 * Reshape([2x3], int64:[3,2])                  a value
 * GatherElements([2x3], int64:[1,0] as 1x2)    a value of another shape
 * Clip([6], _, float64:1.05)                   an operand left out
 * Split{axis=0}([5], int64:[2,3]) -> 2         two results, each with a head gradient
 * Log([4]) in 0.1..2                           drawn from this range instead of -2.5..2.5
 * </pre>
 *
 * Numbers that are drawn differ from each other and from all multiples of 0.1, by more than the step: kinks belong
 * there. Each gradient alone has the bits that it has beside the others. The gradient of the gradient is checked in the
 * same way, and the gradient in narrower types is compared with that in {@code float64}.
 */
public final class GradientDifferences {
  private static final double STEP = 1e-6;
  private static final double KINKS = 0.1;
  private static final double ABSOLUTE = 1e-7;
  private static final double RELATIVE = 1e-5;
  private static final double ROUNDINGS = 40;

  private final GraphFixture fixture = new GraphFixture();
  private final List<NodeEntry> xs = new ArrayList<>();
  private final List<NodeEntry> ys = new ArrayList<>();
  private final Map<String, TensorView> values = new LinkedHashMap<>();

  private GradientDifferences() {}

  /** One test for each line. */
  public static Stream<DynamicTest> tests(String table) {
    return table.lines().map(String::strip).filter(line -> !line.isEmpty()).map(line -> DynamicTest.dynamicTest(line,
      () -> check(line)));
  }

  /** Checks the first and second derivatives in {@code float64}, and the first one in narrower types. */
  public static void check(String line) {
    GradientDifferences exact = read(line, DType.FLOAT64);
    List<double[]> expected = exact.check(true);
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      read(line, dtype).requireNear(expected, dtype);
    }
  }

  /** Like {@link #check(String)}, without second derivatives, for rows built of operators that have no gradient. */
  public static void checkFirst(String line) {
    read(line, DType.FLOAT64).check(false);
  }

  /**
   * Checks the gradients of a graph's outputs with respect to its inputs of {@code float64}.
   *
   * @param values of all inputs, by name
   * @param second whether second derivatives are checked, too
   */
  public static void check(Graph graph, Map<String, TensorView> values, boolean second) {
    List<NodeEntry> xs = graph.inputs().stream().filter(it -> WeightedSum.value(values, it)
      .dtype() == DType.FLOAT64).map(
        Node::entry)
      .toList();
    check(graph.inputs(), graph.outputs().stream().map(Graph.Output::entry).toList(), xs, values, second);
  }

  private static GradientDifferences read(String line, DType dtype) {
    var test = new GradientDifferences();
    int open = line.indexOf('(');
    int close = line.lastIndexOf(')');
    String rest = line.substring(close + 1).strip();
    double[] range = {-2.5, 2.5};
    int outputs = 1;
    for (String[] words = rest.split("\\s+"); words.length > 1; words = rest.split("\\s+")) {
      if (words[0].equals("->")) {
        outputs = Integer.parseInt(words[1]);
      } else {
        String[] bounds = words[1].split("\\.\\.", -1);
        range = new double[] {Double.parseDouble(bounds[0]), Double.parseDouble(bounds[1])};
      }
      rest = rest.substring(rest.indexOf(words[1]) + words[1].length()).strip();
    }
    List<NodeEntry> reads = new ArrayList<>();
    for (String text : Notation.splitAtCommas(line.substring(open + 1, close))) {
      reads.add(test.operand("x" + reads.size(), text.strip(), dtype));
    }
    test.draw(range);
    test.ys.addAll(test.fixture.applyForAll("y", line.substring(0, open), outputs, reads.toArray(NodeEntry[]::new)));
    return test;
  }

  private NodeEntry operand(String name, String text, DType dtype) {
    if (text.equals("_")) {
      return Node.absent();
    }
    if (text.startsWith("[")) {
      NodeEntry input = fixture.input(name, dtype + text);
      xs.add(input);
      return input;
    }
    String[] parts = text.split(" as ", 2);
    TensorView value = Notation.value(parts[0]);
    if (value.dtype() == DType.FLOAT64 && dtype != DType.FLOAT64) {
      TensorView other = HeapTensor.allocate(value.type().withDType(dtype));
      for (int i = 0; i < value.elementCount(); i++) {
        put(other, i, value.doubleAt(i));
      }
      value = other;
    }
    return fixture.constant(name, parts.length == 1
      ? value
      : value.reshaped(Notation.type("int64[" + parts[1] + "]").shape()));
  }

  /** Draws the operands: each number from a cell of its own between two multiples of a tenth, or a part of that. */
  private void draw(double[] range) {
    int wanted = 0;
    for (NodeEntry x : xs) {
      wanted += Math.toIntExact(type(x).shape().elementCount());
    }
    int least = (int) Math.round((range[1] - range[0]) / KINKS);
    int parts = Math.max(1, Math.ceilDiv(wanted, least));
    var random = new SplittableRandom(wanted);
    List<Integer> cells = new ArrayList<>();
    for (int i = 0; i < least * parts; i++) {
      cells.add(random.nextInt(cells.size() + 1), i);
    }
    int next = 0;
    for (NodeEntry x : xs) {
      TensorView view = HeapTensor.allocate(type(x));
      for (int i = 0; i < view.elementCount(); i++) {
        put(view, i, range[0] + (cells.get(next++) + 0.3 + 0.4 * random.nextDouble()) * KINKS / parts);
      }
      values.put(x.node().name(), view);
    }
  }

  private static TensorType type(NodeEntry input) {
    var graph = new Graph("x", List.of(input.node()), List.of(new Graph.Output("x", input)));
    return GraphFixture.inputTypes(graph).values().iterator().next();
  }

  private List<double[]> check(boolean second) {
    return check(fixture.graph(ys.getFirst()).inputs(), ys, xs, values, second);
  }

  private static List<double[]> check(List<Node> inputs, List<NodeEntry> ys, List<NodeEntry> xs,
    Map<String, TensorView> values, boolean second) {
    var sum = new WeightedSum(inputs, ys, values);
    List<NodeEntry> gradients = sum.gradients(xs).gradients();
    List<double[]> found = numbers(HostRun.of(gradients, sum.values));
    for (int i = 0; i < xs.size(); i++) {
      requireDifferences(sum, xs.get(i), found.get(i));
      if (xs.size() > 1) {
        List<TensorView> alone = HostRun.of(sum.gradients(xs.subList(i, i + 1)).gradients(), sum.values);
        assertThat(numbers(alone).getFirst()).as("%s alone, case 106", xs.get(i)).isEqualTo(found.get(i));
      }
    }
    List<NodeEntry> curved = xs.stream().filter(x -> gradients.stream().anyMatch(it -> dependsOn(it, x))).toList();
    if (second && !curved.isEmpty()) {
      check(sum.inputs, gradients, curved, sum.values, false);
    }
    return found;
  }

  private static boolean dependsOn(NodeEntry entry, NodeEntry x) {
    return DepthFirstOrder.of(List.of(entry.node())).contains(x.node());
  }

  private static void requireDifferences(WeightedSum sum, NodeEntry x, double[] found) {
    TensorView point = WeightedSum.value(sum.values, x.node());
    for (int i = 0; i < found.length; i++) {
      double at = point.doubleAt(i);
      double difference = (sum.at(x, i, at + STEP) - sum.at(x, i, at - STEP)) / (2 * STEP);
      assertThat(found[i]).as("%s[%d] at %s", x, i, at).isCloseTo(difference, within(ABSOLUTE + RELATIVE * Math.abs(
        difference)));
    }
  }

  /** Rounding to the type may change every operand and weight; ten steps of the result make up for it. */
  private void requireNear(List<double[]> expected, DType dtype) {
    var sum = new WeightedSum(fixture.graph(ys.getFirst()).inputs(), ys, values);
    List<double[]> found = numbers(HostRun.of(sum.gradients(xs).gradients(), sum.values));
    double unit = switch (dtype) {
      case FLOAT16 -> 0x1p-11;
      case BFLOAT16 -> 0x1p-8;
      default -> 0x1p-24;
    };
    for (int i = 0; i < found.size(); i++) {
      double scale = Arrays.stream(expected.get(i)).map(Math::abs).max().orElse(0);
      for (int at = 0; at < found.get(i).length; at++) {
        assertThat(found.get(i)[at]).as("%s %s[%d]", dtype, xs.get(i), at).isCloseTo(expected.get(i)[at],
          within(ROUNDINGS
            * unit * (1 + scale)));
      }
    }
  }

  private static List<double[]> numbers(List<TensorView> views) {
    return views.stream().map(view -> LongStream.range(0, view.elementCount()).mapToDouble(view::doubleAt).toArray())
      .toList();
  }

  static void put(TensorView view, int index, double value) {
    long bytes = view.dtype().bytes();
    view.segment().asSlice(index * bytes, bytes).copyFrom(Scalars.of(view.dtype(), value).segment());
  }
}
