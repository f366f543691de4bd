package dev.cairn.runtime.pass.precision;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Computes a {@code float32} graph in {@code float16} or {@code bfloat16} where that is sound, with a {@code Cast}
 * where one type meets the other. The graph's inputs, outputs and variables keep their types.
 *
 * <pre>
 * m = MatMul(x, w)      h = Cast{to="float16"}(x)
 * r = Relu(m)        →  m = MatMul(h, Cast{to="float16"}(w))     folded into a constant afterwards
 * e = Exp(r)            r = Relu(m)
 * return y=e            e = Exp(Cast{to="float32"}(r))
 *                       return y=e
 * </pre>
 *
 * An operator that follows its inputs is computed in the half type when one of them is, and none comes from an
 * operator that is kept in {@code float32}. A node with the note {@code precision=float32}, and one for which the
 * device has no kernel of the half type, stays as it is.
 * Masks are kept within the half type's numbers on the way to attention, or to a softmax that scores are summed for.
 */
public final class HalfPrecisionPass implements Pass {
  private static final float GREATEST_FLOAT16 = 65_504;
  private static final float GREATEST_BFLOAT16 = 0x1.fep127f;
  /**
   * The greatest mask, as a part of the greatest number, so that the sum of a score and two masks stays below the
   * greatest number.
   */
  private static final float PART_IN_A_SUM = 0.25f;

  private final DType half;
  private final OperatorTable operators;
  private final BiPredicate<String, KernelSignature> hasKernel;

  /**
   * @param half one of the half types
   * @param operators whose rows say which operators are computed in the half type
   * @param hasKernel whether the device serves an operator with such types
   */
  public HalfPrecisionPass(DType half, OperatorTable operators, BiPredicate<String, KernelSignature> hasKernel) {
    if (!half.isHalf()) {
      throw new IllegalArgumentException("not a type of 16 bits: dtype=" + half);
    }
    this.half = half;
    this.operators = operators;
    this.hasKernel = hasKernel;
  }

  @Override
  public String name() {
    return "half-precision";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var walk = new Walk(context.types(), NodeNames.of(graph), MaskedScores.of(graph, operators));
    Graph rewritten = GraphRewriter.rewrite(graph, walk::rewrite);
    return walk.halves.isEmpty() ? graph : rewritten;
  }

  private final class Walk {
    private final GraphTypes types;
    private final NodeNames names;
    private final Set<Node> maskedScores;
    /** For entries of the old graph, the entry with the same value in the half type. */
    private final Map<NodeEntry, NodeEntry> halves = new HashMap<>();
    /** The same for masks whose numbers are bounded, by the bound. */
    private final Map<Float, Map<NodeEntry, NodeEntry>> masks = new HashMap<>();
    /** Entries of the old graph that were computed in the half type. */
    private final Set<NodeEntry> computedInHalf = new HashSet<>();
    /** Entries of the old graph that must not be rounded on the way to an operator that has a choice. */
    private final Set<NodeEntry> keptInFloat = new HashSet<>();

    Walk(GraphTypes types, NodeNames names, Set<Node> maskedScores) {
      this.types = types;
      this.names = names;
      this.maskedScores = maskedScores;
    }

    List<NodeEntry> rewrite(Node old, Node current) {
      if (!(old.kind() instanceof NodeKind.Apply kind) || old.inputs().stream().noneMatch(this::isFloat)) {
        return current.entries();
      }
      if (isHalf(old, kind)) {
        return inHalf(old, current, kind);
      }
      boolean isFloatAlways = !isIn(old, OperatorTrait.HALF) && !isIn(old, OperatorTrait.FOLLOWS_HALF);
      boolean kept = isFloatAlways || old.inputs().stream().anyMatch(keptInFloat::contains);
      if (kept) {
        old.entries().stream().filter(this::isFloat).forEach(keptInFloat::add);
      }
      return current.entries();
    }

    private boolean isFloat(NodeEntry entry) {
      return !entry.isAbsent() && types.type(entry).dtype() == DType.FLOAT32;
    }

    private boolean isHalf(Node old, NodeKind.Apply kind) {
      boolean wanted = isIn(old, OperatorTrait.HALF) || (isIn(old, OperatorTrait.FOLLOWS_HALF)
        && old.inputs().stream().noneMatch(keptInFloat::contains)
        && (old.inputs().stream().anyMatch(computedInHalf::contains) || isTable(old)));
      return wanted && (kind.outputs() == 1 || operators.facts(kind.operator()).has(
        OperatorTrait.ALL_RESULTS_IN_HALF))
        && hasKernel.test(kind.operator(), WideningPass.signature(old, kind, types, this::halved));
    }

    /** Whether the operator has one of the two traits of precision, and no note keeps the node in float32. */
    private boolean isIn(Node old, OperatorTrait precision) {
      boolean isKept = old.notes().get(Notes.PRECISION).filter(DType.FLOAT32.toString()::equals).isPresent();
      return !isKept && operators.facts(old.operator()).has(precision);
    }

    /**
     * Whether a node picks rows from a weight, such as those of words. In the half type, half as many bytes are kept
     * and moved.
     */
    private boolean isTable(Node old) {
      return old.operator().equals(Operators.GATHER) && old.inputs().getFirst().node().constant().isPresent();
    }

    private TensorType halved(TensorType type) {
      return type.dtype() == DType.FLOAT32 ? new TensorType(half, type.shape()) : type;
    }

    /** Casts each result back for readers of float32, of which there may be none. */
    private List<NodeEntry> inHalf(Node old, Node current, NodeKind.Apply kind) {
      List<NodeEntry> inputs = new ArrayList<>();
      for (int i = 0; i < old.inputs().size(); i++) {
        NodeEntry before = old.inputs().get(i);
        NodeEntry now = current.inputs().get(i);
        inputs.add(isFloat(before) ? operand(old, i, now) : now);
      }
      Node made = Node.apply(old.name(), kind, inputs);
      List<NodeEntry> place = new ArrayList<>();
      for (int i = 0; i < kind.outputs(); i++) {
        NodeEntry result = old.entry(i);
        if (isFloat(result)) {
          halves.put(result, made.entry(i));
          computedInHalf.add(result);
          place.add(WideningPass.cast(names, old.name(), made.entry(i), DType.FLOAT32));
        } else {
          place.add(made.entry(i));
        }
      }
      return place;
    }

    /**
     * An operand in the half type. An operand that was computed in the half type has numbers that the type can hold.
     */
    private NodeEntry operand(Node old, int index, NodeEntry current) {
      NodeEntry before = old.inputs().get(index);
      if (computedInHalf.contains(before)) {
        return half(before, current);
      }
      float greatest = half == DType.FLOAT16 ? GREATEST_FLOAT16 : GREATEST_BFLOAT16;
      if (index == 3 && old.operator().equals(Operators.ATTENTION)) {
        return mask(before, current, greatest);
      }
      return maskedScores.contains(old) ? mask(before, current, greatest * PART_IN_A_SUM) : half(before, current);
    }

    private NodeEntry half(NodeEntry before, NodeEntry current) {
      return halves.computeIfAbsent(before, it -> WideningPass.cast(names, it.node().name(), current, half));
    }

    /**
     * A mask, which is added to scores or takes their place. Finite numbers stay finite: without bounds, numbers that
     * leave scores out would become minus infinity, and rows without any score NaN. Infinities stay what they are.
     */
    private NodeEntry mask(NodeEntry before, NodeEntry current, float bound) {
      return masks.computeIfAbsent(bound, _ -> new HashMap<>()).computeIfAbsent(before, it -> {
        String name = it.node().name();
        NodeEntry least = Node.constant(names.unique(name + "/least"), TensorView.ofFloats(Shape.SCALAR, -bound))
          .entry();
        NodeEntry most = Node.constant(names.unique(name + "/most"), TensorView.ofFloats(Shape.SCALAR, bound))
          .entry();
        NodeEntry bounded = Node
          .apply(names.unique(name + "/bounded"), Operators.CLIP, Attributes.NONE, List.of(current, least,
            most))
          .entry();
        NodeEntry isInfinite = Node.apply(names.unique(name + "/infinite"), "IsInf", Attributes.NONE, List.of(current))
          .entry();
        return WideningPass.cast(names, name,
          Node.apply(names.unique(name + "/mask"), Operators.WHERE, Attributes.NONE, List.of(isInfinite, current,
            bounded)).entry(),
          half);
      });
    }
  }
}
