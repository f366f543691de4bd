package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Real-valued operators of domain com.microsoft, which ONNX Runtime's optimiser writes, with ONNX's own. */
final class MicrosoftExpansions {
  private MicrosoftExpansions() {}

  static List<NodeEntry> gelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(made.input(0)).gelu().results();
  }

  static List<NodeEntry> biasGelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(sum(made.input(0), made.input(1))).gelu().results();
  }

  static List<NodeEntry> fastGelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(sum(made.input(0), made.input(1))).geluByTanh().results();
  }

  /** {@code x * Sigmoid(alpha * x)}. */
  static List<NodeEntry> quickGelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    return made.last(x).mul(x.mul(made.attribute("alpha", 1.702f)).sigmoid()).results();
  }

  private static GraphExpression sum(GraphExpression x, GraphExpression other) {
    return other.entry().isAbsent() ? x : x.add(other);
  }

  /** {@code alpha * A * B}, with axes of operands moved. */
  static List<NodeEntry> matmul(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression a = operand(made, 0, "A");
    GraphExpression b = operand(made, 1, "B");
    return old.attributes().getFloat("alpha", 1) == 1
      ? made.last(a).matmul(b).results()
      : made.last(a.matmul(b)).mul(made.attribute("alpha", 1)).results();
  }

  /** An operand of a product, whose matrices may be transposed, or have the batch between rows and columns. */
  private static GraphExpression operand(Replacement made, int input, String name) {
    Attributes given = made.old().attributes();
    GraphExpression x = made.input(input);
    boolean isTransposed = given.getFlag("trans" + name, false);
    if (!given.getFlag("transBatch" + name, false)) {
      return isTransposed ? swapped(made, x) : x;
    }
    GraphExpression first = x.extents(Attributes.NONE.with("end", 1));
    GraphExpression batch = x.extents(Attributes.NONE.with("start", 1).with("end", -1));
    GraphExpression last = x.extents(Attributes.NONE.with("start", -1));
    GraphExpression flat = x.reshapeKeeping(first.concat(0, List.of(made.longs("batch", -1), last)));
    GraphExpression turned = isTransposed ? flat.transpose(1, 2, 0) : flat.transpose(1, 0, 2);
    return turned.reshapeKeeping(batch.concat(0, isTransposed ? List.of(last, first) : List.of(first, last)));
  }

  /** The last two axes swapped, whatever the rank: as a batch of matrices. */
  private static GraphExpression swapped(Replacement made, GraphExpression x) {
    GraphExpression outer = x.extents(Attributes.NONE.with("end", -2));
    GraphExpression rows = x.extents(Attributes.NONE.with("start", -2).with("end", -1));
    GraphExpression columns = x.extents(Attributes.NONE.with("start", -1));
    GraphExpression flat = made.longs("batch", -1).concat(0, List.of(rows, columns));
    GraphExpression turned = x.reshapeKeeping(flat).transpose(0, 2, 1);
    return turned.reshapeKeeping(outer.concat(0, List.of(columns, rows)));
  }

  /** A convolution, plus another image, and then an activation. */
  static List<NodeEntry> convolution(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes window = old.attributes().without("activation").without("activation_params");
    List<GraphExpression> parameters = made.hasInput(2)
      ? List.of(made.input(1), made.input(2))
      : List.of(made.input(1));
    GraphExpression sum = sum(made.input(0).conv(window, parameters), made.input(3));
    List<Float> numbers = old.attributes().getFloats("activation_params");
    return activated(made, sum, number(numbers, 0), number(numbers, 1));
  }

  private static Optional<Float> number(List<Float> numbers, int index) {
    return index < numbers.size() ? Optional.of(numbers.get(index)) : Optional.empty();
  }

  /** A product of matrices, plus a sum, and then an activation. */
  static List<NodeEntry> gemm(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    Attributes product = Attributes.NONE;
    for (String name : List.of("alpha", "beta", "transA", "transB")) {
      product = given.find(name).isPresent() ? product.with(name, given.find(name).orElseThrow()) : product;
    }
    List<GraphExpression> others = made.hasInput(2) ? List.of(made.input(1), made.input(2)) : List.of(made.input(1));
    return activated(made, made.input(0).gemm(product, others), real(given, "activation_alpha"), real(given,
      "activation_beta"));
  }

  private static Optional<Float> real(Attributes given, String name) {
    return given.has(name) ? Optional.of(given.getFloat(name, 0)) : Optional.empty();
  }

  /** The activation that the old node names, of an expression. */
  private static List<NodeEntry> activated(Replacement made, GraphExpression x, Optional<Float> alpha,
    Optional<Float> beta) {
    String name = made.old().attributes().getText("activation", "");
    Attributes numbers = Attributes.NONE;
    if (alpha.isPresent()) {
      numbers = numbers.with("alpha", new AttributeValue.Real(alpha.get()));
    }
    GraphExpression last = made.last(x);
    return (switch (name) {
      case "" -> last.identity();
      case "Relu" -> last.relu();
      case "Tanh" -> last.tanh();
      case "Sigmoid" -> last.sigmoid();
      case "LeakyRelu" -> last.leakyRelu(numbers);
      case "HardSigmoid" -> last.call("HardSigmoid", beta.isPresent()
        ? numbers.with("beta", new AttributeValue.Real(beta.get()))
        : numbers);
      case "Clip" -> last.clip(x.scalar(alpha.orElse(-Float.MAX_VALUE)), x.scalar(beta.orElse(Float.MAX_VALUE)));
      default -> throw new IllegalArgumentException("no such activation: activation=\"%s\"".formatted(name));
    }).results();
  }

  /** A pool of images whose channels come last. */
  static List<NodeEntry> poolOfChannelsLast(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return ChannelsLastImages.last(made, ChannelsLastImages.first(made, made.input(0)).maxPool(old.attributes()))
      .results();
  }

  /** A transposed convolution without padding, of which the pads, an input, are cut off. */
  static List<NodeEntry> transposedConvolution(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    List<GraphExpression> parameters = made.hasInput(3)
      ? List.of(made.input(1), made.input(3))
      : List.of(made.input(
        1));
    if (!made.hasInput(2) || !given.getText("auto_pad", "NOTSET").equals("NOTSET")) {
      return made.last(made.input(0)).convTranspose(given, parameters).results();
    }
    List<GraphExpression> pads = made.input(2).neg().reshapeKeeping(made.longs("sides", 2, -1)).split(0, 1, 1);
    GraphExpression none = made.longs("channels", 0, 0);
    GraphExpression cut = none.concat(0, List.of(pads.get(0).flatten(), none, pads.get(1).flatten()));
    GraphExpression full = made.input(0).convTranspose(given, parameters);
    return made.last(full).callAll("Pad", Attributes.NONE, 1, List.of(cut)).getFirst().results();
  }

  /** Windows along an axis; the elements of a window become the last axis. */
  static List<NodeEntry> unfolded(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    int axis = Math.toIntExact(old.attributes().getLong("dim", -1));
    long size = old.attributes().getLong("size", 0);
    long step = old.attributes().getLong("step", 1);
    if (size < 1 || step < 1) {
      throw new IllegalArgumentException("no such windows: size=%d step=%d".formatted(size, step));
    }
    GraphExpression x = made.input(0);
    GraphExpression limit = x.extent(axis).sub(made.longs("rest", size - 1));
    GraphExpression starts = made.whole("first", 0).rangeTo(limit.squeeze(0), made.whole("step", step));
    GraphExpression window = made.whole("first", 0).rangeTo(made.whole("size", size), made.whole("next", 1));
    GraphExpression places = starts.expandDims(1).add(window);
    if (axis == -1) {
      return made.last(x).take(places, axis).results();
    }
    GraphExpression count = starts.extent(0);
    GraphExpression outer = x.extents(Attributes.NONE.with("end", axis)).concat(0, List.of(count));
    GraphExpression inner = x.extents(Attributes.NONE.with("start", axis + 1));
    GraphExpression all = made.longs("size", size);
    GraphExpression merged = outer.prod(true, 0).concat(0, List.of(all, inner.prod(true, 0)));
    GraphExpression turned = x.take(places, axis).reshape(merged).transpose(0, 2, 1);
    return made.last(turned).reshape(outer.concat(0, List.of(inner, all))).results();
  }

  /** Distances between the rows of two matrices, or their squares. */
  static List<NodeEntry> distances(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    String metric = old.attributes().getText("metric", "sqeuclidean");
    GraphExpression differences = made.input(0).expandDims(1).sub(made.input(1).expandDims(0));
    return switch (metric) {
      case "euclidean" -> made.last(differences.square().sum(2)).sqrt().results();
      case "sqeuclidean" -> made.last(differences.square().sum(2)).identity().results();
      default -> throw new IllegalArgumentException("no such metric: metric=\"%s\"".formatted(metric));
    };
  }

  /** Numbers from start to limit; by default one apart. */
  static List<NodeEntry> range(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression start = scalar(made, 0);
    GraphExpression step = made.hasInput(2) ? scalar(made, 2) : start.scalar(1L);
    return made.last(start).rangeTo(scalar(made, 1), step).results();
  }

  /** An input that has one element, as a scalar. */
  private static GraphExpression scalar(Replacement made, int input) {
    return made.input(input).reshapeKeeping(made.constant("scalar", TensorView.ofLongs()));
  }

  static List<NodeEntry> expandDims(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression axis = made.input(1).astype(DType.INT64).reshapeKeeping(made.longs("one", 1));
    return made.last(made.input(0)).expandDims(axis).results();
  }

  /** Distinct elements in their order, where each element went, and how often each is there. */
  static List<NodeEntry> unique(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    List<GraphExpression> results = made.input(0).callAll("Unique", Attributes.NONE.with("sorted", 0), 4, List.of());
    return old.first(List.of(results.get(0).entry(), results.get(2).entry(), results.get(3).entry()));
  }

  /** A product of whole numbers of 16 bits, whose sums have 32. */
  static List<NodeEntry> wholeProduct(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(made.input(0).astype(DType.INT32)).matmul(made.input(1).astype(DType.INT32)).results();
  }

  /** ONNX's convolution of one axis; the form of com.microsoft may have more axes. */
  static List<NodeEntry> causalConvolution(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    if (given.getLong("ndim", 1) != 1 || given.getLong("dilation", 1) != 1 || given.getFlag("channels_last", false)
      || given.getLong("state_window", 0) != 0) {
      throw new IllegalArgumentException("only one axis, of neighbours, with channels first is supported");
    }
    Attributes activation = Attributes.NONE.with("activation", new AttributeValue.Text(given.getText("activation",
      "none")));
    return scope.node(old.as("CausalConvWithState", activation, old.inputs().toArray(NodeEntry[]::new)));
  }

  static List<NodeEntry> linearAttention(OldNode old, UpgradeScope scope) {
    if (old.attributes().getLong("state_window", 0) != 0) {
      throw new IllegalArgumentException("states of several steps are not supported");
    }
    Attributes attributes = old.attributes().without("state_window").without("chunk_size");
    return scope.node(old.as("LinearAttention", attributes, old.inputs().toArray(NodeEntry[]::new)));
  }

  /** The same operator of ONNX's own domain, with modes that have other names there. */
  static List<NodeEntry> gridSample(OldNode old, UpgradeScope scope) {
    String mode = old.attributes().getText("mode", "bilinear");
    Attributes attributes = old.attributes().with("mode", new AttributeValue.Text(switch (mode) {
      case "bilinear" -> "linear";
      case "bicubic" -> "cubic";
      default -> mode;
    }));
    return scope.node(old.as("GridSample", attributes, old.input(0), old.input(1)));
  }

  /** The old node as one of ONNX's own domain, with all of its inputs. */
  static Upgrade as(String operator) {
    return (old, scope) -> scope.node(old.as(operator, old.attributes(), old.inputs().toArray(NodeEntry[]::new)));
  }

  /** The norm of the sum of input, skip and bias; the fourth result is the sum. */
  static List<NodeEntry> skipLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression sum = sum(sum(made.input(0), made.input(1)), made.input(4));
    return withSum(old, normalized(made, sum, 2), sum);
  }

  /** Over the last axis, with a scale and a bias, which are inputs of the old node. */
  private static GraphExpression normalized(Replacement made, GraphExpression x, int scale) {
    return made.last(x, 1).layerNorm(-1, made.input(scale), made.input(scale + 1), made.old().attributes().getFloat(
      "epsilon", 1e-12f));
  }

  static List<NodeEntry> skipSimplifiedLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression sum = sum(sum(made.input(0), made.input(1)), made.input(3));
    Attributes attributes = Attributes.NONE.with("axis", -1).with("epsilon", new AttributeValue.Real(old.attributes()
      .getFloat("epsilon", 1e-6f)));
    return withSum(old, made.last(sum, 1).rmsNorm(attributes, made.input(2)), sum);
  }

  /** In ONNX's own domain, though no version of it has the operator. */
  static List<NodeEntry> simplifiedLayerNormalization(OldNode old, UpgradeScope scope) {
    if (old.outputs() > 1) {
      throw new IllegalArgumentException("the deviation is not supported as a result");
    }
    var made = new Replacement(old, scope);
    return made.last(made.input(0)).rmsNorm(old.attributes().without("stash_type"), made.input(1)).results();
  }

  private static List<NodeEntry> withSum(OldNode old, GraphExpression norm, GraphExpression sum) {
    List<NodeEntry> results = new ArrayList<>(norm.results());
    while (results.size() < old.outputs()) {
      results.add(results.size() == 3 ? sum.entry() : Node.absent());
    }
    return results;
  }

  /** The norm of the sum of words', positions' and segments' rows; then the number of words that count, and the sum. */
  static List<NodeEntry> embedLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    List<GraphExpression> tables = new ArrayList<>();
    for (int i = 2; i < 7; i++) {
      tables.add(made.input(i));
    }
    return embedded(made, tables, made.hasInput(8) ? Optional.of(made.input(8)) : Optional.empty());
  }

  /** Like {@link #embedLayerNormalization}, of tables that are quantised. */
  static List<NodeEntry> quantizedEmbedLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    List<GraphExpression> tables = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tables.add(made.hasInput(2 + i)
        ? made.input(2 + i).callAll("DequantizeLinear", Attributes.NONE, 1, List.of(made.input(8 + i), made.input(13
          + i))).getFirst()
        : made.input(2 + i));
    }
    return embedded(made, tables, Optional.empty());
  }

  /** @param tables of words, positions and segments; scale and bias of the norm */
  private static List<NodeEntry> embedded(Replacement made, List<GraphExpression> tables,
    Optional<GraphExpression> positions) {
    GraphExpression ids = made.input(0);
    GraphExpression places = positions.orElseGet(() -> made.whole("first", 0).rangeTo(ids.extent(1).squeeze(), made
      .whole("step", 1)));
    GraphExpression all = sum(tables.get(0).take(ids), tables.get(1).take(places));
    if (made.hasInput(1)) {
      all = sum(all, tables.get(2).take(made.input(1)));
    }
    GraphExpression counted = made.hasInput(7) ? made.input(7) : ids.sub(ids);
    GraphExpression lengths = counted.sum(made.longs("axes", 1));
    float epsilon = made.old().attributes().getFloat("epsilon", 1e-12f);
    List<NodeEntry> results = new ArrayList<>(made.last(all, 1).layerNorm(-1, tables.get(3), tables.get(4), epsilon)
      .results());
    results.addAll(List.of(lengths.entry(), all.entry()));
    return made.old().first(results);
  }
}
