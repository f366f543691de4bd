package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Computation;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.ValueEvaluator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a graph in the plainest way, all numbers as double: what graphs before and after a pass are compared by. Knows
 * only what the tests of these passes use: convolutions without padding or stride, of images.
 */
final class NaiveInterpreter implements ValueEvaluator {

  /** The outputs of a graph, in order. */
  static List<double[]> run(Graph graph, GraphTypes types, Map<String, double[]> inputs) {
    Map<NodeEntry, Value> values = new HashMap<>();
    for (Node node : graph.nodes()) {
      TensorType type = types.type(node.entry());
      values.put(node.entry(), switch (node.kind()) {
        case NodeKind.Input input -> new Value(type.shape(), known(inputs, node.name()));
        case NodeKind.Constant(TensorView view) -> Value.of(view);
        case NodeKind.Apply kind -> {
          var read = node.inputs().stream().map(entry -> Optional.ofNullable(values.get(entry))).toList();
          yield compute(kind, read, type.shape());
        }
        case NodeKind.Deferred(ConstantSource.Computed source) -> Value.of(computed(source));
        case NodeKind.Variable(TensorView initial) -> Value.of(initial);
        case NodeKind.Assign assign -> known(values, node.inputs().get(1));
        case NodeKind.Parameter parameter -> throw new AssertionError(node);
        case NodeKind.Control control -> throw new AssertionError(node);
        case NodeKind.Absent absent -> throw new AssertionError(node);
      });
    }
    return graph.outputs().stream().map(output -> known(values, output.entry()).data()).toList();
  }

  @Override
  public Optional<List<TensorView>> evaluate(Node node, List<Optional<TensorView>> inputs, List<TensorType> outputs) {
    if (!(node.kind() instanceof NodeKind.Apply kind) || outputs.size() != 1) {
      return Optional.empty();
    }
    TensorType type = outputs.get(0);
    Value value = compute(kind, inputs.stream().map(input -> input.map(Value::of)).toList(), type.shape());
    return Optional.of(List.of(value.as(type)));
  }

  private static TensorView computed(ConstantSource source) {
    return switch (source) {
      case ConstantSource.Given(TensorView value) -> value;
      case ConstantSource.Computed it -> {
        TensorView[] inputs = it.inputs().stream().map(input -> input.map(NaiveInterpreter::computed).orElse(null))
          .toArray(TensorView[]::new);
        TensorView result = HeapTensor.allocate(it.type());
        it.computation().run(inputs, new TensorView[] {result}, MemorySegment.NULL);
        yield result;
      }
    };
  }

  @Override
  public Optional<Computation> computation(Node node, List<Optional<TensorType>> inputs, List<TensorType> outputs) {
    return Optional.of(new Computation() {
      @Override
      public long workspaceBytes() {
        return 0;
      }

      @Override
      public OptionalInt inPlace(int output) {
        return OptionalInt.empty();
      }

      @Override
      public void run(@Nullable TensorView[] read, TensorView[] made, MemorySegment workspace) {
        List<Optional<TensorView>> given = Arrays.stream(read).map(Optional::ofNullable).toList();
        TensorView value = evaluate(node, given, outputs).orElseThrow().get(0);
        made[0].segment().copyFrom(value.segment());
      }
    });
  }

  private static <K, V> V known(Map<K, V> map, K key) {
    V value = map.get(key);
    if (value == null) {
      throw new IllegalArgumentException("no value: " + key);
    }
    return value;
  }

  /** Numbers in row-major order. */
  private static final class Value {
    private final Shape shape;
    private final double[] data;

    Value(Shape shape, double[] data) {
      this.shape = shape;
      this.data = data;
    }

    Shape shape() {
      return shape;
    }

    double[] data() {
      return data;
    }

    static Value of(TensorView view) {
      double[] data = new double[(int) view.elementCount()];
      for (int i = 0; i < data.length; i++) {
        data[i] = view.doubleAt(i);
      }
      return new Value(view.shape(), data);
    }

    TensorView as(TensorType type) {
      MemorySegment room = MemorySegment.ofArray(new byte[(int) type.bytes()]);
      for (int i = 0; i < data.length; i++) {
        if (type.dtype() == DType.FLOAT32) {
          room.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, (float) data[i]);
        } else {
          room.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, (long) data[i]);
        }
      }
      return new TensorView(type, room);
    }
  }

  private static Value compute(NodeKind.Apply kind, List<Optional<Value>> inputs, Shape result) {
    List<Value> in = inputs.stream().flatMap(Optional::stream).toList();
    double[] data = switch (kind.operator()) {
      case "Identity", "Dropout", "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze" -> in.get(0).data();
      case "Relu" -> binary(in.get(0), in.get(0), result, (a, b) -> Math.max(a, 0));
      case "Neg" -> binary(in.get(0), in.get(0), result, (a, b) -> -a);
      case "Add" -> binary(in.get(0), in.get(1), result, Double::sum);
      case "Sub" -> binary(in.get(0), in.get(1), result, (a, b) -> a - b);
      case "Mul" -> binary(in.get(0), in.get(1), result, (a, b) -> a * b);
      case "Div" -> binary(in.get(0), in.get(1), result, (a, b) -> a / b);
      case "Transpose" -> transpose(in.get(0), kind.attributes(), result);
      case "ConstantOfShape" -> filled(kind.attributes(), result);
      case "BatchNormalization" -> normalize(in, kind.attributes());
      case "InstanceNormalization" -> normalizeGroups(in, kind.attributes(), in.get(0).shape().extent(1));
      case "GroupNormalization" -> normalizeGroups(in, kind.attributes(), kind.attributes().getLong("num_groups", 1));
      case "Sigmoid" -> binary(in.get(0), in.get(0), result, (a, b) -> 1 / (1 + Math.exp(-a)));
      case "Swish" -> binary(in.get(0), in.get(0), result, (a, b) -> a / (1 + Math.exp(-a)));
      case "Conv" -> convolve(in, kind.attributes(), result);
      default -> throw new AssertionError("not known here: " + kind);
    };
    return new Value(result, data);
  }

  private static double[] binary(Value a, Value b, Shape result, DoubleBinaryOperator operator) {
    Layout left = Layout.rowMajor(a.shape()).broadcastTo(result);
    Layout right = Layout.rowMajor(b.shape()).broadcastTo(result);
    double[] data = new double[(int) result.elementCount()];
    for (int i = 0; i < data.length; i++) {
      data[i] = operator.applyAsDouble(a.data()[offset(left, i)], b.data()[offset(right, i)]);
    }
    return data;
  }

  private static double[] transpose(Value x, Attributes attributes, Shape result) {
    int rank = result.rank();
    int[] order = new int[rank];
    for (int i = 0; i < rank; i++) {
      order[i] = attributes.has("perm") ? (int) attributes.getLongs("perm")[i] : rank - 1 - i;
    }
    Layout layout = Layout.rowMajor(x.shape()).permuted(order);
    double[] data = new double[x.data().length];
    for (int i = 0; i < data.length; i++) {
      data[i] = x.data()[offset(layout, i)];
    }
    return data;
  }

  /** The place of the element with this number in row-major order. */
  private static int offset(Layout layout, int flat) {
    long offset = 0;
    long rest = flat;
    for (int axis = layout.shape().rank() - 1; axis >= 0; axis--) {
      offset += rest % layout.shape().extent(axis) * layout.stride(axis);
      rest /= layout.shape().extent(axis);
    }
    return (int) offset;
  }

  private static double[] filled(Attributes attributes, Shape result) {
    double value = attributes.find("value").orElse(null) instanceof AttributeValue.Tensor(TensorView view)
      ? view.doubleAt(0)
      : 0;
    double[] data = new double[(int) result.elementCount()];
    Arrays.fill(data, value);
    return data;
  }

  private static double[] normalize(List<Value> in, Attributes attributes) {
    Value x = in.get(0);
    int channels = (int) x.shape().extent(1);
    int plane = (int) x.shape().elementCount(2, x.shape().rank());
    double[] data = new double[x.data().length];
    for (int i = 0; i < data.length; i++) {
      int c = i / plane % channels;
      double deviation = Math.sqrt(in.get(4).data()[c] + attributes.getFloat("epsilon", 1e-5f));
      data[i] = (x.data()[i] - in.get(3).data()[c]) / deviation * in.get(1).data()[c] + in.get(2).data()[c];
    }
    return data;
  }

  private static double[] normalizeGroups(List<Value> in, Attributes attributes, long groups) {
    Shape shape = in.get(0).shape();
    double[] x = in.get(0).data();
    int plane = (int) shape.elementCount(2, shape.rank());
    int channels = (int) shape.extent(1);
    int each = channels / (int) groups * plane;
    double[] data = new double[x.length];
    for (int from = 0; from < x.length; from += each) {
      double mean = Arrays.stream(x, from, from + each).average().orElseThrow();
      double variance = Arrays.stream(x, from, from + each).map(it -> (it - mean) * (it - mean)).average()
        .orElseThrow();
      double deviation = Math.sqrt(variance + attributes.getFloat("epsilon", 1e-5f));
      for (int i = from; i < from + each; i++) {
        int c = i / plane % channels;
        data[i] = (x[i] - mean) / deviation * in.get(1).data()[c] + in.get(2).data()[c];
      }
    }
    return data;
  }

  private static double[] convolve(List<Value> in, Attributes attributes, Shape result) {
    Value x = in.get(0);
    Value w = in.get(1);
    int groups = attributes.getInt("group", 1);
    var data = new ArrayList<Double>();
    int each = (int) w.shape().extent(1);
    long[] r = result.extents();
    for (int n = 0; n < r[0]; n++) {
      for (int m = 0; m < r[1]; m++) {
        int first = m / (int) (r[1] / groups) * each;
        for (int p = 0; p < r[2] * r[3]; p++) {
          double sum = in.size() > 2 ? in.get(2).data()[m] : 0;
          for (int t = 0; t < w.shape().elementCount(1, 4); t++) {
            int c = first + t / (int) w.shape().elementCount(2, 4);
            int tap = t % (int) w.shape().elementCount(2, 4);
            long row = p / r[3] + tap / w.shape().extent(3);
            long column = p % r[3] + tap % w.shape().extent(3);
            long at = ((n * x.shape().extent(1) + c) * x.shape().extent(2) + row) * x.shape().extent(3) + column;
            sum += x.data()[(int) at] * w.data()[m * (int) w.shape().elementCount(1, 4) + t];
          }
          data.add(sum);
        }
      }
    }
    return data.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
