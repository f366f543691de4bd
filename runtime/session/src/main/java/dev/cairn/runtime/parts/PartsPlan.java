package dev.cairn.runtime.parts;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.Compilation;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.GraphCut;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The facts, before any run, of a model that can only be planned in parts. Parts behind nodes whose results have no
 * types before a run are planned for the largest types that a rule gives: at most so much memory is needed.
 *
 * @param parts in the order of a run
 */
public record PartsPlan(List<Expected> parts) {
  private static final int MOST_CUTS = 64;

  /** The expectation for one part. */
  public sealed interface Expected {}

  /**
   * Nodes with a plan.
   *
   * @param isBound whether the plan is for the largest types, which a run may stay below
   */
  public record Planned(CompiledGraph graph, boolean isBound) implements Expected {}

  /**
   * Nodes that run without a plan, as values decide the types of their results.
   *
   * @param nodes by node, why
   * @param mostBytes what their results take at most; empty where no rule bounds one of them
   */
  public record Unplanned(Map<Node, String> nodes, OptionalLong mostBytes) implements Expected {}

  /** The nodes for which only a run decides whether they have plans, since no rule bounds their operands. */
  public record Unknown(List<Node> nodes) implements Expected {}

  public PartsPlan {
    parts = List.copyOf(parts);
  }

  public static PartsPlan of(Graph graph, Map<String, TensorType> inputs, Compiler compiler, CompileOptions options) {
    List<Expected> parts = new ArrayList<>();
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
        break; // the bounds of several operands may contradict each other
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
    boolean isBound, List<Expected> parts) {
    cut.known().ifPresent(part -> {
      Map<String, TensorType> own = new HashMap<>(types);
      own.keySet().retainAll(part.inputs().stream().map(Node::name).toList());
      switch (compiler.plan(part, own, options)) {
        case Compilation.Planned(CompiledGraph compiled) -> parts.add(new Planned(compiled, isBound));
        case Compilation.NotPlannable why -> parts.add(new Unknown(computed(part)));
      }
    });
    if (!cut.reasons().isEmpty()) {
      parts.add(new Unplanned(cut.reasons(), mostBytes(cut)));
    }
  }

  private static OptionalLong mostBytes(GraphCut cut) {
    long bytes = 0;
    for (Graph.Output output : cut.open().map(Graph::outputs).orElse(List.of())) {
      TensorType bound = cut.bounds().get(output.name());
      if (bound == null) {
        return OptionalLong.empty();
      }
      bytes += bound.bytes();
    }
    return OptionalLong.of(bytes);
  }

  private static List<Node> computed(Graph graph) {
    return graph.nodes().stream().filter(Node::isComputed).toList();
  }

  /** The planned parts. */
  public List<Planned> planned() {
    return parts.stream().filter(Planned.class::isInstance).map(Planned.class::cast).toList();
  }

  /**
   * The share of bytes that steps with plans write, of the bytes of all values that a run computes, from 0 to 1: each
   * value and workspace counts once, with the most bytes that it can have. Empty where only a run knows.
   */
  public OptionalDouble plannedShare() {
    long planned = 0;
    long open = 0;
    for (Expected part : parts) {
      switch (part) {
        case Planned(CompiledGraph graph, boolean _) -> planned += writtenBytes(graph);
        case Unplanned(Map<Node, String> _, OptionalLong mostBytes) when mostBytes.isPresent() -> open += mostBytes
          .getAsLong();
        default -> {
          return OptionalDouble.empty();
        }
      }
    }
    return OptionalDouble.of((double) planned / Math.max(1, planned + open));
  }

  /** The bytes of a plan's buffers and of the results. A plan may have no buffers for these: then a run binds them. */
  private static long writtenBytes(CompiledGraph graph) {
    long inside = graph.storage().problem().buffers().stream().filter(it -> !it.output()).mapToLong(Buffer::bytes)
      .sum();
    return inside + graph.outputTypes().values().stream().mapToLong(TensorType::bytes).sum();
  }
}
