package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A gradient rule's view of one forward node: its attributes, operands and results, and the gradients of its
 * results. Rules build gradients with the functions of {@link GradientExpression}.
 */
public final class GradientContext {
  private final Node node;
  private final GradientNodes nodes;
  private final List<Optional<NodeEntry>> heads;
  private final Predicate<NodeEntry> wanted;
  private final UnaryOperator<NodeEntry> read;
  private final List<Given> given = new ArrayList<>();

  /** The gradient of one operand, or one term of it. */
  public record Given(int operand, NodeEntry gradient) {}

  /**
   * @param heads the gradient of each result; empty where none flows
   * @param wanted whether the gradient of an entry of the forward graph is wanted
   * @param read the entry that gradients read instead of an entry of the forward graph: the same, or a recomputed one
   */
  public GradientContext(Node node, GradientNodes nodes, List<Optional<NodeEntry>> heads, Predicate<NodeEntry> wanted,
    UnaryOperator<NodeEntry> read) {
    this.node = node;
    this.nodes = nodes;
    this.heads = heads;
    this.wanted = wanted;
    this.read = read;
  }

  /** The gradients that the rule has given, in order. */
  public List<Given> given() {
    return List.copyOf(given);
  }

  /** The name of the node's operator. */
  public String operator() {
    return node.operator();
  }

  public Attributes attributes() {
    return node.kind().attributes();
  }

  /** How many operands the node has, omitted ones included. */
  public int operands() {
    return node.inputs().size();
  }

  /** How many results this use has. */
  public int results() {
    return node.kind().outputs();
  }

  public boolean hasOperand(int index) {
    return index < node.inputs().size() && !node.inputs().get(index).isAbsent();
  }

  private GradientExpression expression(NodeEntry entry) {
    return new GradientExpression(entry, node, nodes);
  }

  public GradientExpression operand(int index) {
    return expression(read.apply(node.inputs().get(index)));
  }

  public GradientExpression result(int index) {
    return expression(read.apply(node.entry(index)));
  }

  /** The first result. */
  public GradientExpression result() {
    return result(0);
  }

  public TensorType operandType(int index) {
    return nodes.type(node.inputs().get(index));
  }

  public Shape operandShape(int index) {
    return operandType(index).shape();
  }

  public TensorType resultType(int index) {
    return nodes.type(node.entry(index));
  }

  /** The value of an operand, if it is the same for every run. */
  public Optional<TensorView> operandValue(int index) {
    return nodes.value(node.inputs().get(index));
  }

  /**
   * The elements of an operand that is a list of whole numbers, such as axes.
   *
   * @throws InvalidGraph when only a run knows them
   */
  public long[] operandLongs(int index) {
    return operandValue(index).orElseThrow(() -> new InvalidGraph(node.name(),
      "the gradient of %s needs an operand that only a run knows: operand=%d".formatted(node.operator(), index)))
      .toLongArray();
  }

  /** The gradient of a result; null when none flows to it. */
  public @Nullable GradientExpression head(int result) {
    return result < heads.size() ? heads.get(result).map(this::expression).orElse(null) : null;
  }

  /** The gradient of the only result that has one. */
  public GradientExpression head() {
    return heads.getFirst().map(this::expression).orElseThrow(() -> gap("only its further results have a gradient"));
  }

  /** Whether this operand's gradient is wanted. */
  public boolean wanted(int operand) {
    return hasOperand(operand) && wanted.test(node.inputs().get(operand));
  }

  /**
   * Gives the gradient of an operand, which has the operand's type. Calls for the same operand add up. A
   * gradient that is not wanted is dropped.
   */
  public void give(int operand, GradientExpression gradient) {
    if (!wanted(operand)) {
      return;
    }
    if (!gradient.type().equals(operandType(operand))) {
      throw new AssertionError("a gradient has the type of its operand: node=%s operator=%s operand=%d type=%s given=%s"
        .formatted(node.name(), node.operator(), operand, operandType(operand), gradient.type()));
    }
    given.add(new Given(operand, gradient.entry()));
  }

  /** Fits the gradient to an operand that was broadcast, and gives it. */
  public void giveFitted(int operand, GradientExpression gradient) {
    if (wanted(operand)) {
      give(operand, gradient.fit(operandShape(operand)));
    }
  }

  /** Applies an operator without attributes; returns its first result. */
  public GradientExpression apply(String operator, GradientExpression... operands) {
    return apply(operator, Attributes.NONE, operands);
  }

  /** Applies an operator; returns its first result. */
  public GradientExpression apply(String operator, Attributes attributes, GradientExpression... operands) {
    return applyAll(operator, attributes, 1, List.of(operands)).getFirst();
  }

  /**
   * Applies an operator with several results.
   *
   * @param operands null for an omitted one
   */
  public List<GradientExpression> applyAll(String operator, Attributes attributes, int results,
    List<@Nullable GradientExpression> operands) {
    return expression(node.entry()).apply(operator, attributes, results, operands);
  }

  /** Applies the node's own operator; returns its first result. */
  public GradientExpression again(Attributes attributes, GradientExpression... operands) {
    return apply(node.operator(), attributes, operands);
  }

  /** A list of whole numbers, such as axes or a shape. */
  public GradientExpression longs(long... values) {
    return expression(nodes.longs(node, values));
  }

  /** A list of one number, such as a scale. */
  public GradientExpression list(DType dtype, double value) {
    return expression(nodes.list(node, dtype, value));
  }

  /** A tensor of which all elements are one number. */
  public GradientExpression filled(TensorType type, double value) {
    return expression(nodes.filled(node, type, value));
  }

  /** An error that says that this use of the operator has no gradient, for a rule to throw. */
  public NoGradient gap(String reason) {
    return new NoGradient(node.name(), node.operator(), reason);
  }
}
