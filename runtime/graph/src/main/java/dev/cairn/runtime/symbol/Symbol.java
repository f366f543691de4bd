package dev.cairn.runtime.symbol;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.PartialType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Named outputs over nodes whose variables are free: their types may be open, and other symbols may take their places.
 * Immutable; any thread may use it.
 *
 * <pre>
 * Symbol data = Symbol.variable("data");
 * Symbol net = Symbol.dense("fc2", Symbol.dense("fc1", data, 128).relu(), 10);
 * net.arguments();    // [data, fc1_weight, fc1_bias, fc2_weight, fc2_bias]
 * SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 32, 784)));
 * Graph graph = net.withValues(weights).graph();
 * </pre>
 */
public final class Symbol implements Expression<Symbol> {
  private final List<Graph.Output> outputs;
  private final List<Node> assigns;

  Symbol(List<Graph.Output> outputs, List<Node> assigns) {
    this.outputs = List.copyOf(outputs);
    this.assigns = List.copyOf(assigns);
  }

  private static Symbol of(List<NodeEntry> entries) {
    return new Symbol(entries.stream().map(it -> new Graph.Output(SymbolNames.of(it), it)).toList(), List.of());
  }

  /** A free variable of an open type. Its notes are those of the thread's {@link NoteScope}. */
  public static Symbol variable(String name) {
    return variable(name, PartialType.UNKNOWN);
  }

  /** A free variable whose type is known, perhaps in part. */
  public static Symbol variable(String name, PartialType type) {
    return of(List.of(Node.input(name, type.declared()).withNotes(NoteScope.current()).entry()));
  }

  /** A constant. Its bytes are not copied and must outlive the symbol. */
  public static Symbol constant(String name, TensorView value) {
    return of(List.of(Node.constant(name, value).entry()));
  }

  /** An open form of a graph: its outputs, over its inputs as free variables. */
  public static Symbol of(Graph graph) {
    return new Symbol(graph.outputs(), graph.assigns());
  }

  /** All outputs of some symbols; one output may come twice. */
  public static Symbol group(Symbol... symbols) {
    return new Symbol(Arrays.stream(symbols).flatMap(it -> it.outputs.stream()).toList(), Arrays.stream(symbols)
      .flatMap(it -> it.assigns.stream()).distinct().toList());
  }

  /**
   * Applies an operator to operands by name; required ones that are left out become variables {@code <name>_<operand>}.
   *
   * @param name null for the next name of the thread's {@link NameScope}
   * @param operands by ONNX's names of the operator's operands
   * @throws IllegalArgumentException when there is no such operator or operand
   */
  public static Symbol compose(@Nullable String name, String operator, Attributes attributes, int results,
    Map<String, Symbol> operands) {
    return SymbolCall.composed(name, operator, attributes, results, operands);
  }

  /** {@code x·wᵀ + b} over rows, with the new variables {@code <name>_weight} and {@code <name>_bias}. */
  public static Symbol dense(String name, Symbol data, long units) {
    return SymbolLayers.dense(name, data, units);
  }

  @Override
  public List<Symbol> apply(String operator, Attributes attributes, int results,
    List<@Nullable Symbol> operands) {
    Node node = SymbolCall.node(null, operator, attributes, results, operands);
    return node.entries().stream().map(it -> SymbolNames.symbol(it, operands)).toList();
  }

  /** A number that takes the element type of this symbol, once that is known. */
  @Override
  public Symbol scalar(Number value) {
    return SymbolCall.scalar(this, value);
  }

  /** The same symbol with another name for the last node; variables that came with it keep their names. */
  public Symbol named(String name) {
    NodeEntry last = single();
    return rebuilt(last.node().named(name), last.index());
  }

  /**
   * The same symbol with more notes on the last node, which win over those of scopes. Variables that came with the node
   * get them too; a note such as {@code weight_lr_mult} goes to the variable {@code <name>_weight} alone.
   */
  public Symbol withNotes(Map<String, String> notes) {
    NodeEntry last = single();
    return rebuilt(SymbolNotes.noted(last.node(), Notes.of(notes)), last.index());
  }

  private Symbol rebuilt(Node node, int index) {
    return new Symbol(of(List.of(node.entry(index))).outputs, assigns);
  }

  /** The entry of the only output. */
  NodeEntry single() {
    if (outputs.size() != 1) {
      throw new IllegalArgumentException("a symbol of one output is wanted: outputs=" + outputs());
    }
    return outputs.getFirst().entry();
  }

  List<Graph.Output> entries() {
    return outputs;
  }

  List<Node> assigns() {
    return assigns;
  }

  /** All nodes, depth first from the outputs; the order of a {@link Graph}. */
  List<Node> nodes() {
    return DepthFirstOrder.of(Stream.concat(outputs.stream().map(it -> it.entry().node()), assigns.stream()).toList());
  }

  List<Node> variables() {
    return nodes().stream().filter(it -> it.kind() instanceof NodeKind.Input).toList();
  }

  /** The names of the free variables, without states. */
  public List<String> arguments() {
    Set<Node> states = SymbolCall.states(nodes());
    return variables().stream().filter(it -> !states.contains(it)).map(Node::name).toList();
  }

  /** The names of the variables that operators write in training, such as running statistics. */
  public List<String> states() {
    List<Node> nodes = nodes();
    Set<Node> states = SymbolCall.states(nodes);
    return nodes.stream().filter(states::contains).map(Node::name).toList();
  }

  /** The names of the outputs; an output that comes twice is listed twice. */
  public List<String> outputs() {
    return outputs.stream().map(Graph.Output::name).toList();
  }

  /** Every variable, constant and result of every node, as outputs. */
  public Symbol internals() {
    return of(nodes().stream().flatMap(it -> it.entries().stream()).toList());
  }

  /** The operands of the outputs' nodes, each once; none for a variable. */
  public Symbol children() {
    return of(outputs.stream().flatMap(it -> it.entry().node().inputs().stream()).filter(it -> !it.isAbsent())
      .distinct().toList());
  }

  /**
   * An output, or an internal one.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  public Symbol get(String name) {
    return Stream.concat(outputs.stream(), internals().outputs.stream()).filter(it -> it.name().equals(name))
      .findFirst().map(it -> new Symbol(List.of(it), assigns)).orElseThrow(() -> new IllegalArgumentException(
        "no such output: name=%s outputs=%s".formatted(name, internals().outputs())));
  }

  /** The output of this index. */
  public Symbol get(int index) {
    return new Symbol(List.of(outputs.get(index)), assigns);
  }

  /** The name of the only output's node. */
  public String name() {
    return single().node().name();
  }

  /**
   * This symbol with other symbols in the place of variables.
   *
   * @param places by the variable's name
   * @throws IllegalArgumentException when a name is not a free variable's, or a symbol has several outputs; lists all
   */
  public Symbol compose(Map<String, Symbol> places) {
    List<String> faults = new ArrayList<>();
    List<String> free = variables().stream().map(Node::name).toList();
    new LinkedHashMap<>(places).forEach((name, place) -> {
      if (!free.contains(name)) {
        faults.add(name + " is no free variable");
      } else if (place.outputs.size() != 1) {
        faults.add("%s would be %d outputs %s".formatted(name, place.outputs.size(), place.outputs()));
      }
    });
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("cannot compose: %s; free variables=%s".formatted(String.join(", ", faults),
        free));
    }
    Map<Node, NodeEntry> replaced = new HashMap<>();
    for (Node variable : variables()) {
      Symbol place = places.get(variable.name());
      if (place != null) {
        replaced.put(variable, place.single());
      }
    }
    Symbol composed = SymbolNames.substituted(this, replaced);
    return new Symbol(composed.outputs, Stream.concat(Stream.of(composed), places.values().stream()).flatMap(
      it -> it.assigns.stream()).distinct().toList());
  }

  /**
   * This symbol with constants in the place of variables: a network with its weights. Their bytes are not copied and
   * must outlive the symbol.
   *
   * @param values by the variable's name
   */
  public Symbol withValues(Map<String, TensorView> values) {
    Map<String, Symbol> constants = new LinkedHashMap<>();
    values.forEach((name, value) -> constants.put(name, constant(name, value)));
    return compose(constants);
  }

  /**
   * The closed form: a graph whose inputs are the variables, in their order.
   *
   * @throws dev.cairn.runtime.graph.InvalidGraph when two different variables have one name
   */
  public Graph graph() {
    return SymbolNames.closed(this);
  }

  /** The closed form, whose inputs have the types that were inferred. */
  public Graph graph(SymbolTypes types) {
    Map<Node, NodeEntry> typed = new HashMap<>();
    variables().forEach(it -> typed.put(it, Node.input(it.name(), types.type(it.name()).declared()).withNotes(it
      .notes()).entry()));
    return SymbolNames.closed(SymbolNames.substituted(this, typed));
  }

  /**
   * Infers all types from those of some variables, forwards and backwards.
   *
   * @param types by variable; a type overrides what the variable declares
   * @throws dev.cairn.runtime.graph.InvalidGraph when facts contradict each other
   * @throws IllegalArgumentException when a name is not a variable's, or types of variables stay open; lists them
   */
  public SymbolTypes infer(Map<String, PartialType> types) {
    SymbolTypes found = inferPartial(types);
    found.requireComplete();
    return found;
  }

  /** Like {@link #infer}; types may stay open. */
  public SymbolTypes inferPartial(Map<String, PartialType> types) {
    return PartialInference.of(this, types);
  }

  /** The notes of the only output's node. */
  public Notes notes() {
    return single().node().notes();
  }

  /** The notes of all nodes that have some, by node. */
  public Map<String, Notes> allNotes() {
    Map<String, Notes> all = new LinkedHashMap<>();
    nodes().stream().filter(it -> !it.notes().isEmpty()).forEach(it -> all.put(it.name(), it.notes()));
    return all;
  }

  /** The text form of a graph. */
  @Override
  public String toString() {
    return SymbolNames.text(this);
  }
}
