package dev.cairn.runtime.pass;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.GraphValidator;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs passes over a graph. After each pass that changed something, the graph is judged:
 *
 * <ul>
 * <li>P1 valid: the rules of {@link GraphValidator} hold
 * <li>P2 signature: the inputs' names and declared types, and the outputs' names, are those of before
 * <li>P3 results: outputs have the types of before; checked where types are known on both sides. Types are found around
 * each pass of a user, and whatever such a pass throws becomes an {@link InvalidGraph} that names it
 * <li>P4 assigns: those of before, by name
 * <li>P5 facts: a pass gets all facts that it requires, and gives all that it provides
 * <li>P6 notes: a node that has the name of one before has its notes, and a node with a note that binds stays
 * </ul>
 *
 * Types are found when a pass requires them and they are not known of the graph as it is now; other facts come from
 * passes. Thread-safe: a run keeps its state to itself.
 */
public final class PassManager {
  private final TypeSource typeSource;

  /** Finds the type of every entry of a graph: type inference, injected. */
  @FunctionalInterface
  public interface TypeSource {
    GraphTypes infer(Graph graph);
  }

  public PassManager(TypeSource typeSource) {
    this.typeSource = typeSource;
  }

  /** Runs each pass once, in order. */
  public PassResult run(Graph graph, List<? extends Pass> passes) {
    return run(PassResult.of(graph), passes);
  }

  /** Runs each pass once, in order, after others. */
  public PassResult run(PassResult before, List<? extends Pass> passes) {
    return runUntilStable(before, passes, 1);
  }

  /** Like {@link #runUntilStable(PassResult, List, int)}, of a graph that no pass has seen. */
  public PassResult runUntilStable(Graph graph, List<? extends Pass> passes, int maxRounds) {
    return runUntilStable(PassResult.of(graph), passes, maxRounds);
  }

  /**
   * Runs the list again and again until a whole round changes nothing, or the rounds are used up.
   *
   * @param before the graph, what is known of it, and the report to go on with
   * @param maxRounds at least 1
   * @throws IllegalArgumentException when a pass requires a fact that no pass before it provides
   */
  public PassResult runUntilStable(PassResult before, List<? extends Pass> passes, int maxRounds) {
    if (maxRounds < 1) {
      throw new IllegalArgumentException("at least one round: maxRounds=" + maxRounds);
    }
    requireProviders(before.facts(), passes);
    var state = new State(typeSource, before);
    int round = 1;
    while (state.round(round, passes) && round < maxRounds) {
      round++;
    }
    return state.result();
  }

  private static void requireProviders(GraphFacts known, List<? extends Pass> passes) {
    Set<Fact<?>> provided = new HashSet<>(known.known());
    provided.add(Fact.TYPES);
    for (Pass pass : passes) {
      for (Fact<?> fact : pass.requires()) {
        if (!provided.contains(fact)) {
          throw new IllegalArgumentException(
            "P5 facts: no pass before this one provides a fact that it requires: pass=%s fact=%s before=%s"
              .formatted(pass
                .name(), fact, passes.stream().map(Pass::name).takeWhile(it -> !it.equals(pass.name())).toList()));
        }
      }
      provided.addAll(pass.provides());
    }
  }

  /** The graph between passes, with its facts. */
  private static final class State {
    private final TypeSource typeSource;
    private final List<PassReport.Step> steps;
    private Graph graph;
    private GraphFacts facts;
    private @Nullable List<TensorType> outputTypes;
    private String lastChange = "none";
    private PassReport.Size size;
    /** The graphs in which passes had nothing to do. */
    private final IdentityHashMap<Pass, Graph> settled = new IdentityHashMap<>();

    State(TypeSource typeSource, PassResult before) {
      this.typeSource = typeSource;
      this.steps = new ArrayList<>(before.report().steps());
      this.graph = before.graph();
      this.size = PassReport.Size.of(graph);
      this.facts = before.facts();
      before.types().ifPresent(this::requireSameResults);
    }

    boolean round(int round, List<? extends Pass> passes) {
      boolean changed = false;
      for (Pass pass : passes) {
        changed |= step(round, pass);
      }
      return changed;
    }

    private boolean step(int round, Pass pass) {
      Graph before = graph;
      if (settled.get(pass) == before && dependsOnGraphAlone(pass)) {
        steps.add(new PassReport.Step(pass.name(), round, size, size, false));
        return false;
      }
      boolean isUsers = pass instanceof UserPass;
      if (isUsers && facts.find(Fact.TYPES).isEmpty()) {
        foundTypes(pass, false);
      }
      var context = new PassContext(required(pass), pass.provides());
      Graph after = Objects.requireNonNull(applied(pass, before, context), () -> "a pass gave no graph: pass=" + pass
        .name());
      boolean changed = after != before;
      var sizeBefore = size;
      size = changed ? PassReport.Size.of(after) : sizeBefore;
      steps.add(new PassReport.Step(pass.name(), round, sizeBefore, size, changed));
      if (!changed) {
        settled.put(pass, after);
      } else {
        judge(pass, before, after);
        graph = after;
        facts = facts.after(pass.keeps());
        lastChange = pass.name();
        if (isUsers) {
          foundTypes(pass, outputTypes != null);
        }
      }
      facts = facts.with(provided(pass, context));
      return changed;
    }

    /**
     * Finds types around a pass of a user. Where a shape depends on a value, or an operator is one that only a later
     * pass replaces, types stay unknown.
     *
     * @param isRequired whether types were known before the pass, so that it is at fault where a node has none now
     */
    private void foundTypes(Pass pass, boolean isRequired) {
      try {
        knownTypes();
      } catch (ValueDependentShape | UnsupportedOperators e) {
        outputTypes = null;
      } catch (InvalidGraph e) {
        if (isRequired) {
          throw failed(pass, graph, e);
        }
        if (outputTypes != null) {
          throw e;
        }
      }
    }

    private static InvalidGraph failed(Pass pass, Graph graph, Throwable cause) {
      String node = cause instanceof InvalidGraph fault ? fault.node() : graph.name();
      var fault = new InvalidGraph(node, "a pass failed: pass=%s cause=%s".formatted(pass.name(), cause));
      fault.initCause(cause);
      return fault;
    }

    @SuppressWarnings("CatchingUnchecked") // passes in other languages of the JVM throw any exception
    private static Graph appliedByUser(UserPass pass, Graph before, PassContext context) {
      try {
        return pass.apply(before, context);
      } catch (Throwable e) {
        throw failed(pass, before, e);
      }
    }

    /** An exception of Java's own, thrown by a pass, does not say where it comes from. */
    private static Graph applied(Pass pass, Graph before, PassContext context) {
      if (pass instanceof UserPass users) {
        return appliedByUser(users, before, context);
      }
      try {
        return pass.apply(before, context);
      } catch (NullPointerException | ClassCastException | IndexOutOfBoundsException | NoSuchElementException
        | ArithmeticException | UnsupportedOperationException e) {
        if (e.getClass().getModule() != Object.class.getModule()) {
          throw e;
        }
        throw failed(pass, before, e);
      }
    }

    /** Whether a pass does the same whenever it gets the same graph. Facts other than types may have changed since. */
    private static boolean dependsOnGraphAlone(Pass pass) {
      return pass.provides().isEmpty() && Set.of(Fact.TYPES).containsAll(pass.requires());
    }

    private GraphFacts required(Pass pass) {
      GraphFacts known = GraphFacts.NONE;
      for (Fact<?> fact : pass.requires()) {
        known = with(known, fact, pass);
      }
      return known;
    }

    private <T> GraphFacts with(GraphFacts known, Fact<T> fact, Pass pass) {
      return known.with(fact, fact.equals(Fact.TYPES)
        ? fact.type().cast(knownTypes())
        : facts.find(fact).orElseThrow(() -> new InvalidGraph(graph.name(),
          "P5 facts: a fact was dropped when the graph changed; place the pass before that change, or let that pass "
            + "keep the fact: pass=%s fact=%s changedBy=%s".formatted(pass.name(), fact, lastChange))));
    }

    private GraphFacts provided(Pass pass, PassContext context) {
      Set<Fact<?>> missing = new HashSet<>(pass.provides());
      missing.removeAll(context.provided().known());
      if (!missing.isEmpty()) {
        throw new InvalidGraph(graph.name(), "P5 facts: a pass does not provide what it says: pass=%s missing=%s"
          .formatted(pass.name(), missing));
      }
      return context.provided();
    }

    private GraphTypes knownTypes() {
      Optional<GraphTypes> known = facts.find(Fact.TYPES);
      if (known.isPresent()) {
        return known.get();
      }
      GraphTypes inferred = typeSource.infer(graph);
      facts = facts.with(Fact.TYPES, inferred);
      requireSameResults(inferred);
      return inferred;
    }

    private void requireSameResults(GraphTypes known) {
      List<TensorType> now = graph.outputs().stream().map(output -> known.type(output.entry())).toList();
      if (outputTypes != null && !outputTypes.equals(now)) {
        throw new InvalidGraph(graph.name(),
          "P3 results: a pass changed the outputs' types: changed=%s before=%s after=%s".formatted(changedSoFar(),
            outputTypes, now));
      }
      outputTypes = now;
    }

    private List<String> changedSoFar() {
      return steps.stream().filter(PassReport.Step::changed).map(PassReport.Step::pass).distinct().toList();
    }

    PassResult result() {
      return new PassResult(graph, facts, new PassReport(steps));
    }
  }

  private static void judge(Pass pass, Graph before, Graph after) {
    try {
      GraphValidator.validate(after);
    } catch (InvalidGraph e) {
      throw new InvalidGraph(e.node(), "P1 valid: a pass broke the graph: pass=%s cause=%s".formatted(pass.name(),
        e.getMessage()));
    }
    if (!signature(before).equals(signature(after))) {
      throw new InvalidGraph(after.name(),
        "P2 signature: a pass changed inputs or outputs: pass=%s before=%s after=%s".formatted(pass.name(),
          signature(before), signature(after)));
    }
    if (!namesOfAssigns(before).equals(namesOfAssigns(after))) {
      throw new InvalidGraph(after.name(),
        "P4 assigns: a pass changed the assigns: pass=%s before=%s after=%s".formatted(pass.name(),
          namesOfAssigns(before), namesOfAssigns(after)));
    }
    requireSameNotes(pass, before, after);
  }

  private static void requireSameNotes(Pass pass, Graph before, Graph after) {
    Map<String, Notes> notes = before.notes();
    if (notes.isEmpty() && after.notes().isEmpty()) {
      return;
    }
    RefusedHint.requireLeft(before.nodes(), after);
    Set<String> names = before.nodes().stream().map(Node::name).collect(Collectors.toSet());
    for (Node node : after.nodes()) {
      Notes wanted = notes.getOrDefault(node.name(), Notes.NONE);
      if (names.contains(node.name()) && !node.notes().equals(wanted)) {
        throw new InvalidGraph(node.name(), "P6 notes: a pass changed a node's notes: pass=%s before={%s} after={%s}"
          .formatted(pass.name(), wanted, node.notes()));
      }
    }
  }

  private static SortedSet<String> namesOfAssigns(Graph graph) {
    return graph.assigns().stream().map(Node::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private record Signature(List<String> inputs, List<DeclaredType> types, List<String> outputs) {}

  private static Signature signature(Graph graph) {
    var types = new ArrayList<DeclaredType>();
    for (Node input : graph.inputs()) {
      if (input.kind() instanceof NodeKind.Input(DeclaredType type)) {
        types.add(type);
      }
    }
    return new Signature(graph.inputs().stream().map(Node::name).toList(), List.copyOf(types),
      graph.outputs().stream().map(Graph.Output::name).toList());
  }
}
