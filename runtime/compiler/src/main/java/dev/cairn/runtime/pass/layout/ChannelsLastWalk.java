package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One walk over a graph, which decides node by node. */
final class ChannelsLastWalk {
  private static final int CHANNELS = 1;
  private static final String GLOBAL = "Global";

  private final ImagePlaces places;
  private final OperatorTable operators;
  private final BiPredicate<String, KernelSignature> kernels;

  ChannelsLastWalk(ImagePlaces places, OperatorTable operators, BiPredicate<String, KernelSignature> kernels) {
    this.places = places;
    this.operators = operators;
    this.kernels = kernels;
  }

  /** The plain results of a node, whether or not it is computed with channels last. */
  List<NodeEntry> rewrite(Node old, Node current) {
    if (!(old.kind() instanceof NodeKind.Apply kind)) {
      return current.entries();
    }
    Node changed = switch (operators.facts(kind.operator()).channelsLast()) {
      case NONE -> new ElementwiseImages(places, operators).elementwise(old, current, kind);
      case KERNEL -> following(old, current, kind);
      case KERNEL_WITH_TRANSPOSE -> convolution(old, current, kind);
      case GLOBAL_WINDOW -> globalPool(old, current, kind.operator().substring(GLOBAL.length()));
      case ALONG_CHANNELS -> alongChannels(old, current, kind);
      case PIXELS -> new ResizedImages(places).resized(old, current, kind);
      case AFFINE -> new AffineImages(places).normalization(old, current);
      case GROUPS -> new ShuffledChannels(places).shuffle(old);
      case ORDER -> {
        noteTransposed(old, current, kind);
        yield null;
      }
    };
    if (changed == null) {
      return current.entries();
    }
    return IntStream.range(0, kind.outputs()).mapToObj(i -> places.made(old.entry(i), changed.entry(i))).toList();
  }

  private @Nullable Node convolution(Node old, Node current, NodeKind.Apply kind) {
    boolean hasConstantWeights = old.inputs().get(1).node().constant().isPresent();
    if (!hasConstantWeights || !isOnImages(old)) {
      return null;
    }
    boolean isDepthwise = places.type(old.inputs().get(1)).shape().extent(1) == 1
      && ConvolutionForm.of(kind.attributes()).group() > 1;
    // Kernels for plain images are as fast where each channel is convolved by itself, so a transposition does not pay.
    return isDepthwise && !places.isLast(old.inputs().getFirst()) ? null : served(old, current, kind);
  }

  /** An operator that is computed with channels last where its input lies so. */
  private @Nullable Node following(Node old, Node current, NodeKind.Apply kind) {
    return isOnImages(old) && kind.outputs() == 1 && places.isLast(old.inputs().getFirst())
      ? served(old, current, kind)
      : null;
  }

  private @Nullable Node globalPool(Node old, Node current, String pool) {
    if (!isOnImages(old) || !places.isLast(old.inputs().getFirst())) {
      return null;
    }
    Shape shape = places.type(old.inputs().getFirst()).shape();
    Attributes all = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(shape.extent(2), shape.extent(3)));
    return served(old, current, new NodeKind.Apply(pool, all, 1));
  }

  private boolean isOnImages(Node old) {
    return places.isImage(old.inputs().getFirst()) && places.isImage(old.entry());
  }

  /** The node with its first input and its result with channels last, if there is a kernel. */
  private @Nullable Node served(Node old, Node current, NodeKind.Apply kind) {
    String operator = ChannelsLast.operator(kind.operator());
    List<Optional<TensorType>> inputs = new ArrayList<>();
    for (NodeEntry entry : old.inputs()) {
      inputs.add(entry.isAbsent() ? Optional.empty() : Optional.of(places.type(entry)));
    }
    inputs.set(0, inputs.getFirst().map(ChannelsLastWalk::channelsLast));
    var signature = new KernelSignature(inputs, List.of(channelsLast(places.type(old.entry()))), kind.attributes());
    if (!kernels.test(operator, signature)) {
      return null;
    }
    List<NodeEntry> operands = new ArrayList<>(current.inputs());
    operands.set(0, places.last(old.inputs().getFirst(), current.inputs().getFirst()));
    return Node.apply(old.name(), operator, kind.attributes(), operands);
  }

  private static TensorType channelsLast(TensorType type) {
    return type.withShape(ChannelsLast.of(type.shape()));
  }

  private @Nullable Node alongChannels(Node old, Node current, NodeKind.Apply kind) {
    long axis = AxisForm.ofParts(kind.attributes()).axis();
    boolean joins = operators.get(kind.operator()).maxInputs() == OperatorDefinition.ANY_NUMBER;
    List<NodeEntry> images = joins ? old.inputs() : old.inputs().subList(0, 1);
    if (!images.stream().allMatch(places::isImage) || Math.floorMod(axis, ChannelsLast.RANK) != CHANNELS
      || !mostLieSo(images, places)) {
      return null;
    }
    List<NodeEntry> operands = new ArrayList<>(current.inputs());
    for (int i = 0; i < images.size(); i++) {
      operands.set(i, places.last(images.get(i), operands.get(i)));
    }
    Attributes all = kind.attributes().with("axis", ChannelsLast.RANK - 1);
    return Node.apply(old.name(), new NodeKind.Apply(kind.operator(), all, kind.outputs()), operands);
  }

  /** Whether at least half of the bytes lie with their channels last. Images that lie either way do not count. */
  static boolean mostLieSo(List<NodeEntry> images, ImagePlaces places) {
    long so = 0;
    long otherwise = 0;
    for (NodeEntry image : images) {
      long bytes = places.isThin(image) ? 0 : places.type(image).bytes();
      so += places.isLast(image) ? bytes : 0;
      otherwise += places.isLast(image) ? 0 : bytes;
    }
    return so > 0 && so >= otherwise;
  }

  /** Handles a transposition of the model that equals one that this pass would insert. */
  private void noteTransposed(Node old, Node current, NodeKind.Apply kind) {
    if (places.isImage(old.entry()) && TransposeForm.of(kind.attributes()).isOrder(0, 3, 1, 2)) {
      places.isSame(old.entry(), current.inputs().getFirst());
    }
  }
}
