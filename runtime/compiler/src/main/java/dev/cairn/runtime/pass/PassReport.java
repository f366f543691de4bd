package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import java.util.List;
import java.util.stream.Collectors;

/** The changes by each pass, in the order in which the passes ran. Text form: one line a step. */
public record PassReport(List<Step> steps) {

  /**
   * One call of one pass.
   *
   * @param round from 1, for a list that is repeated; 1 otherwise
   * @param changed whether another graph came out
   */
  public record Step(String pass, int round, Size before, Size after, boolean changed) {
    @Override
    public String toString() {
      String what = changed ? "%s -> %s".formatted(before, after) : "nothing to do";
      return "%s (round %d): %s".formatted(pass, round, what);
    }
  }

  /**
   * How large a graph is.
   *
   * @param nodes inputs, constants, variables, assigns and uses of operators
   * @param operators uses of operators alone, with those in bodies
   * @param constantBytes bytes of all constants, with those in bodies
   */
  public record Size(int nodes, int operators, long constantBytes) {
    public static Size of(Graph graph) {
      int operators = 0;
      long bytes = 0;
      for (var node : graph.nodes()) {
        switch (node.kind()) {
          case NodeKind.Apply apply -> operators++;
          case NodeKind.Control control -> {
            operators++;
            for (Graph body : control.bodies()) {
              Size inside = of(body);
              operators += inside.operators;
              bytes += inside.constantBytes;
            }
          }
          case NodeKind.Constant(var value) -> bytes += value.type().bytes();
          case NodeKind.Deferred(var source) -> bytes += source.type().bytes();
          default -> {}
        }
      }
      return new Size(graph.nodes().size(), operators, bytes);
    }

    @Override
    public String toString() {
      return "%d nodes (%d operators, %d constant bytes)".formatted(nodes, operators, constantBytes);
    }
  }

  public PassReport {
    steps = List.copyOf(steps);
  }

  /** The steps in which a graph changed. */
  public List<Step> changes() {
    return steps.stream().filter(Step::changed).toList();
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::toString).collect(Collectors.joining("\n"));
  }
}
