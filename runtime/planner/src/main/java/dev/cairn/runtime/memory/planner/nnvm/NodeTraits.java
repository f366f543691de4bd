package dev.cairn.runtime.memory.planner.nnvm;

import java.util.List;
import java.util.stream.Stream;

/**
 * The freedom that a node's operator gives the planner.
 *
 * @param inPlace pairs in order of preference (FInplaceOption with FInplaceIdentity)
 * @param ignoredInputs positions of inputs whose values the node never reads (FIgnoreInputs); each once
 */
public record NodeTraits(List<InPlacePair> inPlace, List<Integer> ignoredInputs) {
  /** A node without inputs that are overwritten or ignored. */
  public static final NodeTraits NONE = new NodeTraits(List.of(), List.of());

  /**
   * An output that may take an input's storage.
   *
   * @param identity whether the output is the input, bit for bit, so that sharing harms no other reader
   */
  public record InPlacePair(int input, int output, boolean identity) {}

  public NodeTraits {
    inPlace = List.copyOf(inPlace);
    ignoredInputs = List.copyOf(ignoredInputs);
    if (ignoredInputs.stream().distinct().count() != ignoredInputs.size()) {
      throw new IllegalArgumentException("an input is ignored twice: ignoredInputs=" + ignoredInputs);
    }
  }

  /** These, and one more pair at the end. */
  NodeTraits plus(InPlacePair pair) {
    return new NodeTraits(Stream.concat(inPlace.stream(), Stream.of(pair)).toList(), ignoredInputs);
  }
}
