package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One input, constant, variable, assign or use of an operator. Nodes are compared by identity. Immutable, and created
 * after its inputs, so a graph of nodes has no cycle.
 */
public final class Node {
  private static final Node ABSENT = new Node("absent", new NodeKind.Absent(), List.of());

  private final String name;
  private final NodeKind kind;
  private final List<NodeEntry> inputs;
  private final Notes notes;
  /** The entries, made at the first call; two threads may make equal ones. */
  private @Nullable List<NodeEntry> entries;

  private Node(String name, NodeKind kind, List<NodeEntry> inputs) {
    this(name, kind, inputs, Notes.NONE);
  }

  private Node(String name, NodeKind kind, List<NodeEntry> inputs, Notes notes) {
    this.name = name;
    this.kind = kind;
    this.inputs = List.copyOf(inputs);
    this.notes = notes;
  }

  public static Node input(String name, DeclaredType type) {
    return new Node(name, new NodeKind.Input(type), List.of());
  }

  public static Node constant(String name, TensorView value) {
    return new Node(name, new NodeKind.Constant(value), List.of());
  }

  /** A constant that has the bytes of a source. */
  public static Node constant(String name, ConstantSource source) {
    return switch (source) {
      case ConstantSource.Given(TensorView value) -> constant(name, value);
      case ConstantSource.Computed computed -> deferred(name, computed);
    };
  }

  /** A constant that is computed when a session loads it. */
  public static Node deferred(String name, ConstantSource.Computed source) {
    return new Node(name, new NodeKind.Deferred(source), List.of());
  }

  /** @throws IllegalArgumentException when the value is of strings, which have no fixed size */
  public static Node variable(String name, TensorView initial) {
    if (initial.dtype() == DType.STRING) {
      throw new IllegalArgumentException("a variable cannot hold strings: variable=%s type=%s".formatted(name, initial
        .type()));
    }
    return new Node(name, new NodeKind.Variable(initial), List.of());
  }

  /** @param inputs the variable's current value, and the new one; the graph checks them */
  public static Node assign(String name, List<NodeEntry> inputs) {
    return new Node(name, new NodeKind.Assign(), inputs);
  }

  /** The entry to pass for an omitted optional input. */
  public static NodeEntry absent() {
    return ABSENT.entry();
  }

  /** A use of an operator with one result. */
  public static Node apply(String name, String operator, Attributes attributes, List<NodeEntry> inputs) {
    return apply(name, new NodeKind.Apply(operator, attributes, 1), inputs);
  }

  public static Node apply(String name, NodeKind.Apply kind, List<NodeEntry> inputs) {
    return new Node(name, kind, inputs);
  }

  /** An input of a body. */
  public static Node parameter(String name, Optional<DType> dtype) {
    return new Node(name, new NodeKind.Parameter(dtype), List.of());
  }

  /** A node that runs bodies. */
  public static Node control(String name, NodeKind.Control kind, List<NodeEntry> inputs) {
    return new Node(name, kind, inputs);
  }

  /** A node of another kind or with other inputs that takes this node's place, with its name and notes. */
  public Node with(NodeKind other, List<NodeEntry> others) {
    return new Node(name, other, others, notes);
  }

  /** The same node under another name. */
  public Node named(String other) {
    return new Node(other, kind, inputs, notes);
  }

  /** The same node with other notes. */
  public Node withNotes(Notes others) {
    return new Node(name, kind, inputs, others);
  }

  /** The name, unique within a graph. */
  public String name() {
    return name;
  }

  public NodeKind kind() {
    return kind;
  }

  public Notes notes() {
    return notes;
  }

  /** The source of a constant's bytes; empty for all other nodes. */
  public Optional<ConstantSource> constant() {
    return switch (kind) {
      case NodeKind.Constant(TensorView value) -> Optional.of(new ConstantSource.Given(value));
      case NodeKind.Deferred(ConstantSource.Computed source) -> Optional.of(source);
      default -> Optional.empty();
    };
  }

  /** The inputs in the operator's order; empty for inputs, constants and variables. */
  public List<NodeEntry> inputs() {
    return inputs;
  }

  /** The inputs whose elements the node reads: all, but only the new value for an assign. */
  public List<NodeEntry> operands() {
    return kind instanceof NodeKind.Assign ? inputs.subList(Math.min(1, inputs.size()), inputs.size()) : inputs;
  }

  /** Whether a run computes the node: it is a use of an operator, or runs bodies. */
  public boolean isComputed() {
    return kind instanceof NodeKind.Apply || kind instanceof NodeKind.Control;
  }

  /** The first result; for most nodes the only one. */
  public NodeEntry entry() {
    return entry(0);
  }

  public NodeEntry entry(int index) {
    List<NodeEntry> all = entries();
    return index >= 0 && index < all.size() ? all.get(index) : new NodeEntry(this, index);
  }

  /** All results. */
  public List<NodeEntry> entries() {
    List<NodeEntry> known = entries;
    if (known == null) {
      known = newEntries();
      entries = known;
    }
    return known;
  }

  private List<NodeEntry> newEntries() {
    if (kind.outputs() == 1) {
      return List.of(new NodeEntry(this, 0));
    }
    NodeEntry[] all = new NodeEntry[kind.outputs()];
    for (int i = 0; i < all.length; i++) {
      all[i] = new NodeEntry(this, i);
    }
    return List.of(all);
  }

  /**
   * This node over the entries that replace its inputs; the node itself if no input is replaced.
   *
   * @param places by replaced node, one entry for each of its results
   */
  public Node over(Map<Node, List<NodeEntry>> places) {
    for (NodeEntry input : inputs) {
      if (!input.in(places).equals(input)) {
        return with(kind, inputs.stream().map(it -> it.in(places)).toList());
      }
    }
    return this;
  }

  /** The operator's name for an operator's node; "input", "assign" and so on for the others. */
  public String operator() {
    return switch (kind) {
      case NodeKind.Apply apply -> apply.operator();
      case NodeKind.Input input -> "input";
      case NodeKind.Constant _,NodeKind.Deferred _ -> "constant";
      case NodeKind.Variable variable -> "variable";
      case NodeKind.Assign assign -> "assign";
      case NodeKind.Absent absent -> "absent";
      case NodeKind.Parameter parameter -> "parameter";
      case NodeKind.Branch branch -> "If";
      case NodeKind.Repeat repeat -> repeat.scanned().isEmpty() ? "Loop" : "Scan";
    };
  }

  @Override
  public String toString() {
    return GraphText.line(this);
  }
}
