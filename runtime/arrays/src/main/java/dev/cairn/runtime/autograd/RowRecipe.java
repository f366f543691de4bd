package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.gradient.GradientContext;
import dev.cairn.runtime.operator.gradient.GradientNodes;
import dev.cairn.runtime.operator.gradient.GradientRule;
import dev.cairn.runtime.operator.gradient.NoGradient;
import dev.cairn.runtime.operator.gradient.OperatorGradient;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gradient of one use of an operator, built once as a list of calls of operators. A call reads its operands from
 * numbered places: the operands of the use, its results, their head gradients, constants, and the results of earlier
 * calls. Immutable.
 */
final class RowRecipe {
  private static final int ABSENT = -1;

  private final List<Call> calls = new ArrayList<>();
  private final Map<Integer, TensorView> constants = new HashMap<>();
  private final List<Given> given = new ArrayList<>();
  private final BitSet read = new BitSet();
  private final int operands;
  private final int results;
  private int places;
  private @Nullable String lack;

  /** A call whose results take the places from {@code first} on. */
  private record Call(String operator, Attributes attributes, int results, List<Integer> operands, int first) {
    /** Puts the results to their places. */
    void run(ArrayRuntime runtime, @Nullable NDArray[] at) {
      NDArray one = operand(0, at);
      NDArray other = operand(1, at);
      if (results == 1 && one != null && operands.size() == 1) {
        at[first] = one.call(operator, attributes);
      } else if (results == 1 && one != null && other != null && operands.size() == 2) {
        at[first] = one.call(operator, attributes, other);
      } else {
        List<@Nullable NDArray> from = new ArrayList<>(operands.size());
        for (int i = 0; i < operands.size(); i++) {
          from.add(operand(i, at));
        }
        List<NDArray> made = runtime.apply(operator, attributes, results, from);
        for (int i = 0; i < results; i++) {
          at[first + i] = made.get(i);
        }
      }
    }

    private @Nullable NDArray operand(int index, @Nullable NDArray[] at) {
      int place = index < operands.size() ? operands.get(index) : ABSENT;
      return place == ABSENT ? null : at[place];
    }
  }

  private record Given(int operand, int place) {}

  /**
   * One use of an operator.
   *
   * @param operands types, null for an omitted one
   * @param values of the operands that never change; null for others
   */
  record Use(NodeKind.Apply kind, List<@Nullable TensorType> operands, List<@Nullable TensorView> values,
    List<TensorType> results) {}

  private RowRecipe(int operands, int results) {
    this.operands = operands;
    this.results = results;
    this.places = operands + 2 * results;
  }

  /**
   * @param heads the results to which a gradient flows
   * @param wanted the operands whose gradients are wanted
   */
  static RowRecipe of(Use use, OperatorTable table, BitSet heads, BitSet wanted) {
    var recipe = new RowRecipe(use.operands.size(), use.results.size());
    OperatorGradient gradient = table.facts(use.kind.operator()).gradient();
    if (gradient.rule().isEmpty()) {
      recipe.lack = gradient.reason().isEmpty() ? gradient.gap() : gradient.reason();
      return recipe;
    }
    try {
      recipe.build(use, gradient.rule().get(), table, heads, wanted);
    } catch (NoGradient | InvalidGraph e) {
      recipe.lack = e.getMessage();
    }
    return recipe;
  }

  private void build(Use use, GradientRule rule, OperatorTable table, BitSet heads, BitSet wanted) {
    Map<NodeEntry, TensorType> types = new HashMap<>();
    Map<NodeEntry, TensorView> values = new HashMap<>();
    Map<NodeEntry, Integer> place = new HashMap<>();
    List<NodeEntry> inputs = new ArrayList<>();
    Set<NodeEntry> wantedEntries = new HashSet<>();
    for (int i = 0; i < operands; i++) {
      TensorType type = use.operands.get(i);
      TensorView value = use.values.get(i);
      NodeEntry entry = type == null ? Node.absent() : input("operand" + i, type, value);
      inputs.add(entry);
      if (type != null) {
        types.put(entry, type);
        place.put(entry, i);
        if (value != null) {
          values.put(entry, value);
        }
        if (wanted.get(i)) {
          wantedEntries.add(entry);
        }
      }
    }
    while (!inputs.isEmpty() && inputs.getLast().isAbsent()) {
      inputs.removeLast();
    }
    Node node = Node.apply("use", use.kind, inputs);
    List<Optional<NodeEntry>> headEntries = new ArrayList<>();
    for (int i = 0; i < results; i++) {
      types.put(node.entry(i), use.results.get(i));
      place.put(node.entry(i), operands + i);
      NodeEntry head = Node.input("head" + i, DeclaredType.of(use.results.get(i))).entry();
      types.put(head, use.results.get(i));
      place.put(head, operands + results + i);
      headEntries.add(heads.get(i) ? Optional.of(head) : Optional.empty());
    }
    var context = new GradientContext(node,
      new GradientNodes(table::resultTypes, new GraphTypes(types, values), new NodeNames()),
      headEntries, wantedEntries::contains, it -> it);
    rule.build(context);
    record(context.given(), place);
  }

  private static NodeEntry input(String name, TensorType type, @Nullable TensorView value) {
    return value == null ? Node.input(name, DeclaredType.of(type)).entry() : Node.constant(name, value).entry();
  }

  /** Turns the nodes that the rule has made into calls. */
  private void record(List<GradientContext.Given> terms, Map<NodeEntry, Integer> place) {
    for (Node node : DepthFirstOrder.of(terms.stream().map(it -> it.gradient().node()).toList())) {
      if (place.containsKey(node.entry())) {
        continue;
      }
      switch (node.kind()) {
        case NodeKind.Constant(TensorView value) -> {
          constants.put(places, value);
          place.put(node.entry(), places++);
        }
        case NodeKind.Apply(String operator, Attributes attributes, int count) -> {
          List<Integer> from = node.inputs().stream().map(it -> it.isAbsent() ? ABSENT : read(it, place)).toList();
          calls.add(new Call(operator, attributes, count, from, places));
          for (int i = 0; i < count; i++) {
            place.put(node.entry(i), places++);
          }
        }
        default -> throw new AssertionError("a gradient rule uses operators only: node=" + node);
      }
    }
    terms.forEach(it -> given.add(new Given(it.operand(), read(it.gradient(), place))));
  }

  private int read(NodeEntry entry, Map<NodeEntry, Integer> place) {
    Integer known = place.get(entry);
    if (known == null) {
      throw new AssertionError("no place: entry=" + entry);
    }
    read.set(known);
    return known;
  }

  /** Why there is no gradient. */
  Optional<String> lack() {
    return Optional.ofNullable(lack);
  }

  boolean readsOperand(int index) {
    return read.get(index);
  }

  boolean readsResult(int index) {
    return read.get(operands + index);
  }

  /**
   * Makes the calls.
   *
   * @param saved the operands and results that the recipe reads, at their places; they are closed
   * @param heads one for each result; null where none flows
   */
  List<RowTerm> run(ArrayRuntime runtime, @Nullable NDArray[] saved, @Nullable SharedGradient[] heads) {
    @Nullable
    NDArray[] at = new NDArray[places];
    System.arraycopy(saved, 0, at, 0, operands + results);
    for (int i = 0; i < results; i++) {
      SharedGradient head = heads[i];
      at[operands + results + i] = head == null ? null : head.array();
    }
    constants.forEach((place, value) -> at[place] = runtime.constant(value));
    for (Call call : calls) {
      call.run(runtime, at);
    }
    return terms(at, heads);
  }

  /** The gradients that the rule gives; closes all other arrays. */
  private List<RowTerm> terms(@Nullable NDArray[] at, @Nullable SharedGradient[] heads) {
    @Nullable
    SharedGradient[] shared = new SharedGradient[places];
    System.arraycopy(heads, 0, shared, operands + results, results);
    List<RowTerm> terms = new ArrayList<>(given.size());
    for (Given it : given) {
      SharedGradient before = shared[it.place];
      NDArray array = at[it.place];
      if (before != null) {
        terms.add(new RowTerm(it.operand, before.retain()));
      } else if (array != null) {
        boolean isOwn = it.place >= operands + 2 * results && !constants.containsKey(it.place);
        var made = new SharedGradient(array, isOwn ? SharedGradient.Bytes.OWN : SharedGradient.Bytes.VIEW);
        shared[it.place] = made;
        terms.add(new RowTerm(it.operand, made));
      }
    }
    for (int place = 0; place < places; place++) {
      NDArray array = at[place];
      if (array != null && shared[place] == null) {
        array.close();
      }
    }
    return terms;
  }
}
