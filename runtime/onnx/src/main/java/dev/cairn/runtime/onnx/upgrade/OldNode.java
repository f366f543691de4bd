package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.notation.OperatorDomains;
import java.util.ArrayList;
import java.util.List;

/**
 * One use of an operator, as the model's opset defines it.
 *
 * @param name unique in the graph; the node that takes this one's place has it too
 * @param inputs as written in the model, absent ones included
 * @param outputs how many results are used
 */
public record OldNode(String name, Operator operator, Attributes attributes, List<NodeEntry> inputs, int outputs) {

  /**
   * An operator as of an opset.
   *
   * @param domain empty for ONNX's own
   */
  public record Operator(String domain, String name, long opset) {
    /** The name, after the domain where that is not ONNX's own. */
    public String qualifiedName() {
      return domain.isEmpty() ? name : domain + "::" + name;
    }
  }

  public OldNode {
    inputs = List.copyOf(inputs);
  }

  /** The input at this place; absent where the model gives fewer. */
  public NodeEntry input(int index) {
    return index < inputs.size() ? inputs.get(index) : Node.absent();
  }

  /**
   * The results of the node, which are the first ones of all that the operator has.
   *
   * @throws IllegalArgumentException if the model names more
   */
  public List<NodeEntry> first(List<NodeEntry> all) {
    if (outputs > all.size()) {
      throw new IllegalArgumentException("wrong number of results: wanted=%d given=%d".formatted(outputs, all.size()));
    }
    return all.subList(0, Math.max(1, outputs));
  }

  public OldNode withAttributes(Attributes others) {
    return new OldNode(name, operator, others, inputs, outputs);
  }

  /** The same node with fewer or more results. */
  OldNode withOutputs(int count) {
    return new OldNode(name, operator, attributes, inputs, count);
  }

  /** The same results of another operator of the graph, of these inputs. */
  public OldNode as(String other, Attributes others, NodeEntry... operands) {
    return new OldNode(name, new Operator(OperatorDomains.of(other), other, operator.opset()), others,
      List.of(operands), outputs);
  }

  /** The first input as it is, followed by others. */
  public OldNode withFurtherInputs(NodeEntry... others) {
    var all = new ArrayList<NodeEntry>();
    all.add(input(0));
    all.addAll(List.of(others));
    return new OldNode(name, operator, attributes, all, outputs);
  }
}
