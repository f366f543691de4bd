package dev.cairn.runtime.pass;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.GraphValidator;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * <li>P3 results: outputs have the types of before; checked where types are known on both sides
 * <li>P4 assigns: those of before, by name
 * </ul>
 *
 * Facts are found when a pass requires them and they are not known of the graph as it is now. Thread-safe: a run
 * keeps its state to itself.
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
    var state = new State(typeSource, graph);
    state.round(1, passes);
    return state.result();
  }

  /**
   * Runs the list again and again until a whole round changes nothing, or the rounds are used up.
   *
   * @param maxRounds at least 1
   */
  public PassResult runUntilStable(Graph graph, List<? extends Pass> passes, int maxRounds) {
    if (maxRounds < 1) {
      throw new IllegalArgumentException("at least one round: maxRounds=" + maxRounds);
    }
    var state = new State(typeSource, graph);
    int round = 1;
    while (state.round(round, passes) && round < maxRounds) {
      round++;
    }
    return state.result();
  }

  /** The graph on its way, with what is known of it. */
  private static final class State {
    private final TypeSource typeSource;
    private final List<PassReport.Step> steps = new ArrayList<>();
    private Graph graph;
    private @Nullable GraphTypes types;
    private @Nullable List<TensorType> outputTypes;

    State(TypeSource typeSource, Graph graph) {
      this.typeSource = typeSource;
      this.graph = graph;
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
      Graph after = pass.apply(before, facts(pass));
      boolean changed = after != before;
      var sizeBefore = PassReport.Size.of(before);
      steps.add(new PassReport.Step(pass.name(), round, sizeBefore, changed ? PassReport.Size.of(after) : sizeBefore,
        changed));
      if (changed) {
        judge(pass, before, after);
        graph = after;
        types = null;
      }
      return changed;
    }

    private PassContext facts(Pass pass) {
      return pass.requires().contains(Fact.TYPES) ? PassContext.of(knownTypes()) : PassContext.NO_FACTS;
    }

    private GraphTypes knownTypes() {
      GraphTypes known = types;
      if (known == null) {
        known = typeSource.infer(graph);
        types = known;
        requireSameResults(known);
      }
      return known;
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
      return new PassResult(graph, Optional.ofNullable(types), new PassReport(steps));
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
