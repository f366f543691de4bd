package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.symbol.Symbol;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** MXNet's layers: products, convolutions, pooling, normalisation, activations and losses as they infer. */
final class MxnetLayers {
  private MxnetLayers() {}

  static void addTo(Map<String, MxnetNode.Conversion> table) {
    one(table, MxnetLayers::fullyConnected, "FullyConnected");
    one(table, MxnetLayers::convolution, "Convolution", "Convolution_v1");
    one(table, MxnetLayers::deconvolution, "Deconvolution");
    one(table, MxnetLayers::pooling, "Pooling", "Pooling_v1");
    for (String operator : List.of("BatchNorm", "BatchNorm_v1", "CuDNNBatchNorm")) {
      table.put(operator, MxnetLayers::batchNorm);
    }
    one(table, MxnetLayers::layerNorm, "LayerNorm");
    one(table, node -> call(node, "InstanceNormalization", Attributes.NONE.with("epsilon", node.real("eps", 1e-3))),
      "InstanceNorm");
    one(table, MxnetLayers::l2Normalisation, "L2Normalization");
    one(table, node -> node.x().call("LRN", Attributes.NONE.with("size", node.requiredLong("nsize")).with("alpha", node
      .real("alpha", 1e-4)).with("beta", node.real("beta", 0.75)).with("bias", node.real("knorm", 2))), "LRN");
    one(table, MxnetLayers::activation, "Activation");
    one(table, MxnetLayers::leakyRelu, "LeakyReLU");
    one(table, node -> MxnetShapes.clippedTake(node.operand(1), node.x(), 0), "Embedding");
    one(table, MxnetLayers::upSampling, "UpSampling");
    one(table, MxnetNode::x, "Dropout", "MakeLoss", "make_loss", "BlockGrad", "stop_gradient", "_copy", "identity",
      "LinearRegressionOutput", "MAERegressionOutput", "SVMOutput", "IdentityAttachKLSparseReg");
    one(table, node -> node.x().sigmoid(), "LogisticRegressionOutput");
    one(table, MxnetLayers::softmaxOutput, "SoftmaxOutput", "Softmax");
    one(table, node -> node.text("mode", "instance").equals("channel") ? node.x().softmax(1) : flatSoftmax(node.x()),
      "SoftmaxActivation");
    one(table, node -> tempered(node).softmax(node.integer("axis", -1)), "softmax");
    one(table, node -> tempered(node).logSoftmax(node.integer("axis", -1)), "log_softmax");
  }

  static void one(Map<String, MxnetNode.Conversion> table, Function<MxnetNode, Symbol> conversion,
    String... operators) {
    for (String operator : operators) {
      table.put(operator, node -> List.of(conversion.apply(node)));
    }
  }

  /** An operator with all of the node's operands. */
  static Symbol call(MxnetNode node, String operator, Attributes attributes) {
    return node.x().apply(operator, attributes, 1, List.copyOf(node.operands())).get(0);
  }

  /** Rows: all axes behind the first become one. */
  static Symbol flat(Symbol x) {
    return x.call("Flatten", Attributes.NONE);
  }

  private static Symbol fullyConnected(MxnetNode node) {
    if (node.flag("flatten", true)) {
      Symbol rows = flat(node.x());
      return node.flag("no_bias", false)
        ? rows.gemm(Attributes.NONE.with("transB", 1), List.of(node.operand(1)))
        : rows.linear(node.operand(1), node.operand(2));
    }
    Symbol product = node.x().matmul(node.operand(1).transpose(1, 0));
    return node.flag("no_bias", false) ? product : product.add(node.operand(2));
  }

  private static Attributes window(MxnetNode node, String dilations) {
    long[] kernel = node.longs("kernel");
    long[] ones = new long[kernel.length];
    Arrays.fill(ones, 1);
    long[] pad = node.longs("pad", new long[kernel.length]);
    long[] pads = Arrays.copyOf(pad, 2 * pad.length);
    System.arraycopy(pad, 0, pads, pad.length, pad.length);
    return Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(kernel)).with("strides", AttributeValue.Ints.of(
      node.longs("stride", ones))).with("pads", AttributeValue.Ints.of(pads)).with(dilations, AttributeValue.Ints.of(
        node.longs("dilate", ones)));
  }

  private static void requireChannelsSecond(MxnetNode node) {
    String layout = node.text("layout", "NCHW");
    if (!layout.startsWith("NC")) {
      throw new MxnetNode.Unsupported("attribute layout=%s; channels must come second".formatted(layout));
    }
  }

  private static Symbol convolution(MxnetNode node) {
    requireChannelsSecond(node);
    return call(node, "Conv", window(node, "dilations").with("group", node.integer("num_group", 1)));
  }

  private static Symbol deconvolution(MxnetNode node) {
    requireChannelsSecond(node);
    if (Arrays.stream(node.longs("target_shape")).anyMatch(extent -> extent != 0)) {
      throw new MxnetNode.Unsupported("attribute target_shape is not served; take pad and adj");
    }
    long[] kernel = node.longs("kernel");
    return call(node, "ConvTranspose", window(node, "dilations").with("group", node.integer("num_group", 1)).with(
      "output_padding", AttributeValue.Ints.of(node.longs("adj", new long[kernel.length]))));
  }

  private static Symbol pooling(MxnetNode node) {
    requireChannelsSecond(node);
    String type = node.text("pool_type", "max");
    if (!type.equals("max") && !type.equals("avg")) {
      throw new MxnetNode.Unsupported("attribute pool_type=" + type);
    }
    if (node.flag("global_pool", false)) {
      return node.x().call(type.equals("max") ? "GlobalMaxPool" : "GlobalAveragePool", Attributes.NONE);
    }
    String convention = node.text("pooling_convention", "valid");
    if (!convention.equals("valid") && !convention.equals("full")) {
      throw new MxnetNode.Unsupported("attribute pooling_convention=" + convention);
    }
    if (convention.equals("full")) {
      requireWindowsOverElements(node);
    }
    Attributes window = window(node, "dilations").with("ceil_mode", convention.equals("full") ? 1 : 0);
    return type.equals("max")
      ? node.x().maxPool(window)
      : node.x().avgPool(window.with("count_include_pad", node.flag("count_include_pad", true) ? 1 : 0));
  }

  /** MXNet counts the last window even if it lies in the padding alone; ONNX does not. */
  private static void requireWindowsOverElements(MxnetNode node) {
    long[] kernel = node.longs("kernel");
    long[] none = new long[kernel.length];
    long[] pad = node.longs("pad", none);
    long[] ones = none.clone();
    Arrays.fill(ones, 1);
    long[] stride = node.longs("stride", ones);
    for (int i = 0; i < kernel.length; i++) {
      if (stride[i] > kernel[i] - pad[i]) {
        throw new MxnetNode.Unsupported("attribute pooling_convention=full with stride=%d kernel=%d pad=%d: a window "
          .formatted(stride[i], kernel[i], pad[i]) + "may have no element");
      }
    }
  }

  /**
   * With {@code fix_gamma}, MXNet's default, gamma counts as 1 whatever it holds. With {@code output_mean_var}, results
   * 1 and 2 are the mean and one over the deviation that it takes.
   */
  private static List<Symbol> batchNorm(MxnetNode node) {
    node.require("axis", "1");
    Symbol beta = node.operand(2);
    Symbol gamma = node.flag("fix_gamma", true) ? beta.mul(0).add(1) : node.operand(1);
    Symbol mean = statistic(node, 3, "_moving_mean");
    Symbol variance = statistic(node, 4, "_moving_var");
    float epsilon = (float) node.number("eps", 1e-3);
    Symbol normal = node.x().batchNorm(gamma, beta, mean, variance, epsilon);
    if (!node.flag("output_mean_var", false)) {
      return List.of(normal);
    }
    // The data is an input of a network also where only statistics are outputs.
    Symbol zero = node.x().extents(Attributes.NONE).reduce("ReduceSum", false).mul(0).castLike(mean);
    return List.of(normal.named(node.name()), mean.add(zero).named(node.name() + "_mean"), variance.add(epsilon).sqrt()
      .reciprocal().add(zero).named(node.name() + "_var"));
  }

  /** Until version 0.8, files did not name the states. */
  private static Symbol statistic(MxnetNode node, int index, String suffix) {
    return node.operands().size() == 3 ? Symbol.variable(node.name() + suffix) : node.operand(index);
  }

  private static Symbol layerNorm(MxnetNode node) {
    node.require("axis", "-1");
    return node.x().layerNorm(-1, node.operand(1), node.operand(2), (float) node.number("eps", 1e-5));
  }

  private static Symbol l2Normalisation(MxnetNode node) {
    Symbol x = node.x();
    String mode = node.text("mode", "instance");
    Symbol rows = switch (mode) {
      case "instance" -> flat(x);
      case "spatial" -> x.reshapeKeeping(x.longs(0, 0, -1));
      case "channel" -> x;
      default -> throw new MxnetNode.Unsupported("attribute mode=" + mode);
    };
    int axis = mode.equals("spatial") ? 2 : 1;
    Symbol length = rows.sumOfSquares(true, axis).add(node.number("eps", 1e-10)).sqrt();
    Symbol normal = rows.div(length);
    return mode.equals("channel") ? normal : normal.reshapeKeeping(x.extents(Attributes.NONE));
  }

  private static Symbol activation(MxnetNode node) {
    Symbol x = node.x();
    String type = node.text("act_type", "");
    return switch (type) {
      case "relu" -> x.relu();
      case "sigmoid" -> x.sigmoid();
      case "tanh" -> x.tanh();
      case "softrelu" -> x.softplus();
      case "softsign" -> x.softsign();
      case "log_sigmoid" -> x.neg().softplus().neg();
      case "mish" -> x.mish();
      default -> throw new MxnetNode.Unsupported("attribute act_type=" + type);
    };
  }

  private static Symbol leakyRelu(MxnetNode node) {
    Symbol x = node.x();
    String type = node.text("act_type", "leaky");
    return switch (type) {
      case "leaky" -> x.leakyRelu((float) node.number("slope", 0.25));
      case "rrelu" -> x.leakyRelu((float) ((node.number("lower_bound", 0.125) + node.number("upper_bound", 0.334))
        / 2));
      case "elu" -> x.call("Elu", Attributes.NONE.with("alpha", node.real("slope", 0.25)));
      case "selu" -> x.selu();
      case "gelu" -> x.gelu();
      case "prelu" -> prelu(x, node.operand(1));
      default -> throw new MxnetNode.Unsupported("attribute act_type=" + type);
    };
  }

  /** The slopes are those of the second axis; a single one is for all. */
  private static Symbol prelu(Symbol x, Symbol slopes) {
    Symbol ones = x.call("Size", Attributes.NONE).mul(0).add(1);
    Symbol extents = slopes.call("Size", Attributes.NONE);
    Symbol spatial = x.extents(Attributes.NONE.with("start", 2)).mul(0).add(ones);
    Symbol shape = extents.reshape(1).concat(0, List.of(spatial));
    return x.call("PRelu", Attributes.NONE, slopes.reshapeKeeping(shape));
  }

  private static Symbol upSampling(MxnetNode node) {
    node.require("sample_type", "nearest");
    if (node.operands().size() != 1) {
      throw new MxnetNode.Unsupported("several operands");
    }
    float scale = (float) node.number("scale", 1);
    Symbol extents = node.x().extents(Attributes.NONE.with("start", 2));
    Symbol larger = extents.astype(DType.FLOAT32).mul(scale).astype(DType.INT64);
    Symbol sizes = node.x().extents(Attributes.NONE.with("start", 0).with("end", 2)).concat(0, List.of(larger));
    Attributes attributes = Attributes.NONE.with("mode", new AttributeValue.Text("nearest")).with(
      "coordinate_transformation_mode", new AttributeValue.Text("asymmetric")).with("nearest_mode",
        new AttributeValue.Text("floor"));
    return node.x().apply("Resize", attributes, 1, Arrays.asList(node.x(), null, null, sizes)).get(0);
  }

  private static Symbol softmaxOutput(MxnetNode node) {
    if (node.flag("preserve_shape", false)) {
      return node.x().softmax(-1);
    }
    return node.flag("multi_output", false) ? node.x().softmax(1) : flatSoftmax(node.x());
  }

  /** Over all axes but the first. */
  private static Symbol flatSoftmax(Symbol x) {
    return flat(x).softmax(-1).reshapeKeeping(x.extents(Attributes.NONE));
  }

  private static Symbol tempered(MxnetNode node) {
    if (node.flag("use_length", false)) {
      throw new MxnetNode.Unsupported("attribute use_length=True");
    }
    double temperature = node.number("temperature", 1);
    return temperature == 1 ? node.x() : node.x().div(temperature);
  }
}
