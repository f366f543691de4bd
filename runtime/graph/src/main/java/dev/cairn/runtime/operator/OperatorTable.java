package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** All operators that a runtime knows, by name. Immutable; made once by the wiring and passed on. */
public final class OperatorTable {
  private final SortedMap<String, OperatorDefinition> rows;

  /** @throws IllegalArgumentException when two rows have the same name */
  public OperatorTable(List<OperatorDefinition> definitions) {
    this(Collections.emptySortedMap(), definitions);
  }

  /** A sorted map is copied without comparing names: a compiler makes a table for each of its own operators. */
  private OperatorTable(SortedMap<String, OperatorDefinition> known, List<OperatorDefinition> further) {
    this.rows = new TreeMap<>(known);
    for (OperatorDefinition row : further) {
      if (rows.put(row.name(), row) != null) {
        throw new IllegalArgumentException("two rows for one operator: name=" + row.name());
      }
    }
  }

  public Optional<OperatorDefinition> find(String name) {
    return Optional.ofNullable(rows.get(name));
  }

  /** The row of an operator that must be known. */
  public OperatorDefinition get(String name) {
    return find(name).orElseThrow(() -> new IllegalArgumentException("no such operator: name=" + name));
  }

  /**
   * The types of a node's results.
   *
   * @param types of the entries that the node reads
   * @param values of those entries that are the same in every run
   */
  public List<TensorType> resultTypes(Node node, Function<NodeEntry, TensorType> types,
    Function<NodeEntry, Optional<TensorView>> values) {
    return get(node.operator()).resultTypes(new TypeContext(node, types, values));
  }

  /** The memory traits of a node that runs; its operator must be known. */
  public MemoryTraits memory(Node node) {
    if (node.kind() instanceof NodeKind.Control || node.kind() instanceof NodeKind.Assign) {
      return MemoryTraits.NONE;
    }
    return get(node.operator()).memory().of(node.kind().attributes());
  }

  /** The same operators and one more. */
  public OperatorTable with(OperatorDefinition row) {
    return new OperatorTable(rows, List.of(row));
  }

  /** Whether equal inputs give equal results; true for an operator that is not known. */
  public boolean isPure(String operator) {
    return find(operator).map(OperatorDefinition::isPure).orElse(true);
  }

  /** The facts of an operator for passes and analyses; {@link OperatorFacts#NONE} of one that is not known. */
  public OperatorFacts facts(String operator) {
    OperatorDefinition row = rows.get(operator);
    return row == null ? OperatorFacts.NONE : row.facts();
  }

  /** All rows, by name. */
  public Collection<OperatorDefinition> rows() {
    return Collections.unmodifiableCollection(rows.values());
  }

  public SortedSet<String> names() {
    return new TreeSet<>(rows.keySet());
  }

  /** The same operators, none of which may write a result over an input, or past its own buffer into a variable. */
  public OperatorTable withoutInPlace() {
    return new OperatorTable(rows.values().stream().map(row -> row.withMemory(new MemoryTraits(List.of(), row.memory()
      .alias()))).toList());
  }
}
