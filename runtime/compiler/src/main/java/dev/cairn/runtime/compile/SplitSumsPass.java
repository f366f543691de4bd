package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PlacedPass;
import java.util.List;
import java.util.Set;

/**
 * Makes sums add up one addend after the other, in the addends' order, so that none waits for all others:
 *
 * <pre>
 * s = Sum(a, b, c)   →   s/sum1 = Sum(a, b)
 *                        s = Sum(s/sum1, c)
 * </pre>
 *
 * Kernels of sums add up in this order, too: results stay equal to the bit.
 *
 * @param sums the names of the sums
 */
record SplitSumsPass(Set<String> sums) implements Pass {
  SplitSumsPass {
    sums = Set.copyOf(sums);
  }

  /** The options with this pass at the end, where there is a sum. */
  static CompileOptions in(CompileOptions options, Set<String> sums) {
    return sums.isEmpty() ? options : options.withPass(PlacedPass.at(PlacedPass.Stage.LAST, new SplitSumsPass(sums)));
  }

  @Override
  public String name() {
    return "split-sums";
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    NodeNames names = NodeNames.of(graph);
    return GraphRewriter.rewrite(graph, (old, current) -> sums.contains(old.name()) && old.operator().equals("Sum")
      ? List.of(split(current, names))
      : current.entries());
  }

  private static NodeEntry split(Node sum, NodeNames names) {
    List<NodeEntry> addends = sum.inputs();
    NodeEntry all = addends.getFirst();
    for (int i = 1; i < addends.size() - 1; i++) {
      all = Node.apply(names.unique("%s/sum%d".formatted(sum.name(), i)), "Sum", Attributes.NONE, List.of(all, addends
        .get(i))).entry();
    }
    return sum.with(sum.kind(), List.of(all, addends.getLast())).entry();
  }
}
