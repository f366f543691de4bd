package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphCopy;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.gradient.GradientNodes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The gradient of an {@code If} that a run decides: an {@code If} of the same condition. Each of its branches computes
 * what the forward branch does, since that is not kept, and then the gradients.
 *
 * <pre>
 * y = If(c, x)                           y/gradient/If = If(c, x, head)
 *   then(x): y = Mul(x, x)          →      then(x, head): x/gradient = Add(Mul(head, x), Mul(head, x))
 *   else(x): y = Neg(x)                    else(x, head): x/gradient = Neg(head)
 * </pre>
 *
 * @param wanted the operands whose gradients are wanted; none is the condition
 * @param heads of the results of the forward node
 */
record BranchGradient(Node node, NodeKind.Branch branch, List<Integer> wanted, List<Optional<NodeEntry>> heads,
  OperatorTable operators, GradientOptions options, BodyInference inference) {

  /** One gradient for each wanted operand, in their order. */
  List<NodeEntry> build(GradientNodes nodes) {
    List<NodeEntry> operands = new ArrayList<>(node.inputs());
    heads.forEach(head -> head.ifPresent(operands::add));
    List<TensorType> types = operands.subList(1, operands.size()).stream().map(nodes::type).toList();
    var kind = new NodeKind.Branch(body(branch.then(), types), body(branch.otherwise(), types));
    return nodes.branch(node, kind, operands, wanted.stream().map(it -> nodes.type(node.inputs().get(it))).toList());
  }

  /** @param types of all parameters: the captured values, then the heads */
  private Graph body(Graph forward, List<TensorType> types) {
    String prefix = node.name() + "/gradient/";
    var names = new NodeNames();
    List<Node> parameters = new ArrayList<>();
    Map<String, TensorType> named = new LinkedHashMap<>();
    for (TensorType type : types) {
      int index = parameters.size();
      String name = index < forward.inputs().size() ? forward.inputs().get(index).name() : forward.name() + "/head";
      parameters.add(Node.parameter(names.unique(prefix + name), Optional.of(type.dtype())));
      named.put(parameters.getLast().name(), type);
    }
    List<NodeEntry> captured = parameters.subList(0, forward.inputs().size()).stream().map(Node::entry).toList();
    List<NodeEntry> results = GraphCopy.of(forward, captured, name -> names.unique(prefix + name));
    List<GradientPass.Head> ys = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (heads.get(i).isPresent()) {
        ys.add(GradientPass.Head.of(results.get(i), parameters.get(captured.size() + ys.size()).entry()));
      }
    }
    var computed = new Graph(prefix + forward.name(), parameters, outputs(results));
    List<NodeEntry> gradients = gradients(computed, inference.infer(computed, named), ys, wanted.stream().map(
      it -> captured.get(it - 1)).toList());
    return new Graph(computed.name(), parameters, outputs(gradients));
  }

  private List<NodeEntry> gradients(Graph body, GraphTypes types, List<GradientPass.Head> ys, List<NodeEntry> xs) {
    Set<Node> reached = new HashSet<>(DepthFirstOrder.of(ys.stream().map(it -> it.entry().node()).toList()));
    List<NodeEntry> found = xs.stream().filter(it -> reached.contains(it.node())).distinct().toList();
    List<NodeEntry> gradients = found.isEmpty()
      ? List.of()
      : new GradientPass(operators, options.withMirror(MirrorChoice.NONE), inference).of(body, types, ys, found)
        .gradients();
    var zeros = new GradientNodes(operators::resultTypes, types, NodeNames.of(body));
    return xs.stream().map(x -> found.contains(x)
      ? gradients.get(found.indexOf(x))
      : zeros.filled(x.node(), types.type(x), 0)).toList();
  }

  private static List<Graph.Output> outputs(List<NodeEntry> entries) {
    List<Graph.Output> outputs = new ArrayList<>();
    entries.forEach(it -> outputs.add(new Graph.Output("result" + outputs.size(), it)));
    return outputs;
  }
}
