package dev.cairn.runtime.memory.planner.nnvm;

import java.util.List;

/**
 * One node of a graph in its fixed order. A value; built by {@link #variable} and {@link #operator} and
 * refined by the {@code with…} methods.
 *
 * @param name for messages
 * @param inputs entry ids; the same entry twice counts twice
 * @param outputs at least one
 * @param device on which the node runs and its outputs lie
 */
public record NnvmNode(String name, NodeRole role, List<Integer> inputs, List<NnvmEntry> outputs, NodeTraits traits,
  int device) {

  public NnvmNode {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("a node has outputs: node=" + name);
    }
    if (role == NodeRole.VARIABLE && (outputs.size() != 1 || !inputs.isEmpty())) {
      throw new IllegalArgumentException("bad %s: node=%s inputs=%d outputs=%d".formatted(role, name, inputs.size(),
        outputs.size()));
    }
    for (NodeTraits.InPlacePair pair : traits.inPlace()) {
      requireIndex(name, "input", pair.input(), inputs.size());
      requireIndex(name, "output", pair.output(), outputs.size());
    }
    for (int ignored : traits.ignoredInputs()) {
      requireIndex(name, "input", ignored, inputs.size());
    }
  }

  public static NnvmNode variable(String name, NnvmEntry entry) {
    return new NnvmNode(name, NodeRole.VARIABLE, List.of(), List.of(entry), NodeTraits.NONE, 0);
  }

  public static NnvmNode operator(String name, List<Integer> inputs, List<NnvmEntry> outputs) {
    return new NnvmNode(name, NodeRole.OPERATOR, inputs, outputs, NodeTraits.NONE, 0);
  }

  public NnvmNode withTraits(NodeTraits newTraits) {
    return new NnvmNode(name, role, inputs, outputs, newTraits, device);
  }

  /** The same, this output allowed to take this input's storage; asked after the pairs it has. */
  public NnvmNode withInPlace(int input, int output) {
    return withTraits(traits.plus(new NodeTraits.InPlacePair(input, output, false)));
  }

  /** The same, this output being this input bit for bit. */
  public NnvmNode withIdentity(int input, int output) {
    return withTraits(traits.plus(new NodeTraits.InPlacePair(input, output, true)));
  }

  public NnvmNode withIgnoredInputs(Integer... positions) {
    return withTraits(new NodeTraits(traits.inPlace(), List.of(positions)));
  }

  public NnvmNode onDevice(int newDevice) {
    return new NnvmNode(name, role, inputs, outputs, traits, newDevice);
  }

  public boolean isVariable() {
    return role == NodeRole.VARIABLE;
  }

  boolean ignoresEveryInput() {
    return traits.ignoredInputs().size() == inputs.size();
  }

  private static void requireIndex(String name, String what, int index, int size) {
    if (index < 0 || index >= size) {
      throw new IllegalArgumentException("no such %s: node=%s index=%d size=%d".formatted(what, name, index, size));
    }
  }
}
