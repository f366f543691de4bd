package dev.cairn.runtime.pass.attention;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes one node of the nodes by which exporters write attention.
 *
 * <pre>
 * p = MatMul(q, kt)
 * s = Div(p, 8)                      y = Attention{scale=0.125}(q, k, v, mask)
 * m = Add(s, mask)            →        k = kt with its last two axes swapped
 * w = Softmax{axis=-1}(m)
 * y = MatMul(w, v)
 * </pre>
 *
 * The scale may be a product or missing. The mask may be missing. It may also be a {@code Where} that replaces the
 * scores that are left out by a number of at most -1e4. If its condition is a constant triangle, {@code is_causal}
 * takes its place; beside another mask, only if the number is minus infinity. Operands have four axes, or three where
 * there is one head and no axis for it. The heads must be equal and have up to 256 elements, the type must be {@code
 * float32} or a half type, and no other node may read the nodes in between. Results differ by roundings. In a row in
 * which all scores are masked, this includes what is left of the scores beside a mask of -1e4; beside -1e9 nothing is
 * left. A softmax of minus infinities is NaN, while ONNX's attention is not; an attribute of the new node, not shown
 * above, keeps the NaN.
 */
public final class FuseAttentionPass implements NodeRule {
  /** Every device has a kernel for heads of at most this size. */
  private static final int MOST_SIZE = 256;
  /** The axes of an operand: batch, heads, rows and their elements. */
  private static final int APART = 4;
  /** Batch, rows and their elements, where there is no axis of heads. */
  private static final int ONE_HEAD = 3;
  private static final Set<DType> SERVED = Set.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);

  @Override
  public String name() {
    return "fuse-attention";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!old.operator().equals(Operators.MATMUL)) {
      return null;
    }
    Step shares = Step.input(old, current, 0);
    if (!shares.is(Operators.SOFTMAX) || context.readers(shares.old()) != 1 || !isServed(old, context)) {
      return null;
    }
    long axis = AxisForm.ofLines(shares.attributes()).axis();
    int last = context.type(old.entry()).shape().rank() - 1;
    Optional<Scores> scores = axis == -1 || axis == last
      ? Scores.of(shares.input(0), context)
      : Optional.empty();
    return scores.filter(it -> fits(it, old, context)).map(it -> attention(it, current, context)).orElse(null);
  }

  private static boolean isServed(Node old, RewriteContext context) {
    TensorType y = context.type(old.entry());
    int rank = y.shape().rank();
    return SERVED.contains(y.dtype()) && (rank == APART || rank == ONE_HEAD) && y.shape().elementCount() > 0 && y
      .shape().extent(-1) <= MOST_SIZE;
  }

  /** Whether all operands have the same batch and heads, and there is a kernel for their size. */
  private static boolean fits(Scores scores, Node old, RewriteContext context) {
    Shape v = context.type(old.inputs().get(1)).shape();
    Shape q = context.type(scores.product().input(0).old()).shape();
    Shape kt = context.type(scores.product().input(1).old()).shape();
    int rank = context.type(old.entry()).shape().rank();
    if (v.rank() != rank || q.rank() != rank || kt.rank() != rank || q.extent(-1) > MOST_SIZE || q.extent(-1) == 0) {
      return false;
    }
    boolean sameHeads = true;
    for (int axis = 0; axis < rank - 2; axis++) {
      sameHeads &= v.extent(axis) == q.extent(axis) && kt.extent(axis) == q.extent(axis);
    }
    return sameHeads && v.extent(-2) > 0;
  }

  private static NodeEntry attention(Scores scores, Node current, RewriteContext context) {
    boolean isOneHead = context.type(scores.product().old()).shape().rank() == ONE_HEAD;
    long[] swapped = isOneHead ? new long[] {0, 2, 1} : new long[] {0, 1, 3, 2};
    List<NodeEntry> inputs = new ArrayList<>(List.of(scores.product().input(0).current(), Step.transposed(scores
      .product().input(1).current(), context.unique(current.name() + "/keys"), swapped), current.inputs().get(1)));
    int causal = scores.causalMask();
    NodeEntry mask = null;
    for (int i = 0; i < scores.masks().size(); i++) {
      mask = i == causal ? mask : masked(mask, scores.masks().get(i), current.name(), context);
    }
    if (mask != null) {
      inputs.add(isOneHead ? withHead(mask, shape(scores, causal, context), current.name(), context) : mask);
    }
    Attributes attributes = Attributes.NONE.with("scale", new AttributeValue.Real((float) scores.scale())).with(
      AttentionHeads.NAN_WHEN_MASKED, 1);
    if (isOneHead) {
      attributes = attributes.with("q_num_heads", 1).with("kv_num_heads", 1);
    }
    return Node
      .apply(current.name(), Operators.ATTENTION, causal < 0 ? attributes : attributes.with("is_causal", 1), inputs)
      .entry();
  }

  /** The shape to which all masks but one broadcast. */
  private static Shape shape(Scores scores, int without, RewriteContext context) {
    Shape shape = Shape.SCALAR;
    for (int i = 0; i < scores.masks().size(); i++) {
      shape = i == without ? shape : shape.broadcastWith(shape(scores.masks().get(i), context));
    }
    return shape;
  }

  private static Shape shape(Scores.Mask mask, RewriteContext context) {
    return switch (mask) {
      case Scores.Mask.Added(Step added) -> context.type(added.old()).shape();
      case Scores.Mask.LeftOut it -> context.type(it.condition().old()).shape().broadcastWith(context.type(it.fill()
        .old()).shape());
    };
  }

  /** A mask with an axis for the heads. Without it, the mask's axis of texts would be taken for one of heads. */
  private static NodeEntry withHead(NodeEntry mask, Shape shape, String name, RewriteContext context) {
    // This includes the mask of a single text: a graph has the same nodes for every batch.
    if (shape.rank() < ONE_HEAD) {
      return mask;
    }
    NodeEntry extents = context.constant(name + "/head/shape", TensorView.ofLongs(shape.extent(0), 1, shape
      .extent(1), shape.extent(2)));
    return Node.apply(context.unique(name + "/head"), Operators.RESHAPE, Attributes.NONE, List.of(mask, extents))
      .entry();
  }

  /** The sum of all masks that are added to scores. */
  private static NodeEntry masked(@Nullable NodeEntry before, Scores.Mask mask, String name, RewriteContext context) {
    return switch (mask) {
      case Scores.Mask.Added(Step added) when before == null -> added.current();
      case Scores.Mask.Added(Step added) ->
        Node.apply(context.unique(name + "/mask"), Operators.ADD, Attributes.NONE, List.of(
          before, added.current())).entry();
      case Scores.Mask.LeftOut it -> {
        NodeEntry kept = before == null ? nothing(it, name, context) : before;
        NodeEntry fill = it.fill().current();
        yield Node
          .apply(context.unique(name + "/mask"), Operators.WHERE, Attributes.NONE, List.of(it.condition().current(), it
            .counts() ? kept : fill, it.counts() ? fill : kept))
          .entry();
      }
    };
  }

  /** Adds 0 to kept scores, if the mask's number is added to scores that are left out. */
  private static NodeEntry nothing(Scores.Mask.LeftOut mask, String name, RewriteContext context) {
    TensorType zero = new TensorType(context.type(mask.fill().old()).dtype(), Shape.SCALAR);
    return context.constant(name + "/nothing", new TensorView(zero, Arena.ofAuto().allocate(zero.bytes(),
      Long.BYTES)));
  }
}
