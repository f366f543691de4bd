package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.Compilation;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.GraphCut;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known before a run of a model that can only be planned in parts. Parts behind nodes whose results have no
 * types before a run are planned for the largest types that a rule gives: at most so much memory is needed.
 *
 * @param parts in the order of a run
 */
public record PartsPlan(List<Part> parts) {
  private static final int MOST_CUTS = 64;

  /** Nodes that run one after the other. */
  public sealed interface Part {}

  /**
   * Nodes with a plan.
   *
   * @param isBound whether the plan is for the largest types, which a run may stay below
   */
  public record Planned(CompiledGraph graph, boolean isBound) implements Part {}

  /** Nodes that run without a plan, as values decide the types of their results; by node, why. */
  public record Open(Map<Node, String> nodes) implements Part {}

  /** The nodes of which only a run tells whether they have plans, as no rule bounds what they read. */
  public record Unknown(List<Node> nodes) implements Part {}

  public PartsPlan {
    parts = List.copyOf(parts);
  }

  static PartsPlan of(Graph graph, Map<String, TensorType> inputs, Compiler compiler, CompileOptions options) {
    List<Part> parts = new ArrayList<>();
    Map<String, TensorType> types = new HashMap<>(inputs);
    Graph rest = graph;
    boolean isBound = false;
    for (int cuts = 0; cuts < MOST_CUTS; cuts++) {
      try {
        GraphCut cut = compiler.cut(rest, types, options);
        add(cut, types, compiler, options, isBound, parts);
        if (cut.rest().isEmpty()) {
          return new PartsPlan(parts);
        }
        rest = cut.rest().get();
        types.putAll(cut.bounds());
      } catch (InvalidGraph | UnsupportedOperators e) {
        if (!isBound) {
          throw e;
        }
        break; // bounds of several operands need not fit each other
      }
      isBound = true;
      if (!types.keySet().containsAll(rest.inputs().stream().map(Node::name).toList())) {
        break;
      }
      types.keySet().retainAll(rest.inputs().stream().map(Node::name).toList());
    }
    parts.add(new Unknown(computed(rest)));
    return new PartsPlan(parts);
  }

  private static void add(GraphCut cut, Map<String, TensorType> types, Compiler compiler, CompileOptions options,
    boolean isBound, List<Part> parts) {
    cut.known().ifPresent(part -> {
      Map<String, TensorType> own = new HashMap<>(types);
      own.keySet().retainAll(part.inputs().stream().map(Node::name).toList());
      switch (compiler.plan(part, own, options)) {
        case Compilation.Planned(CompiledGraph compiled) -> parts.add(new Planned(compiled, isBound));
        case Compilation.NotPlannable why -> parts.add(new Unknown(computed(part)));
      }
    });
    if (!cut.reasons().isEmpty()) {
      parts.add(new Open(cut.reasons()));
    }
  }

  private static List<Node> computed(Graph graph) {
    return graph.nodes().stream().filter(Node::isComputed).toList();
  }

  /** The planned parts. */
  public List<Planned> planned() {
    return parts.stream().filter(Planned.class::isInstance).map(Planned.class::cast).toList();
  }
}
