package dev.cairn.runtime.operator;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.attribute.FusedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The freedom that an operator gives the memory planner.
 *
 * @param inPlace pairs in order of preference: the kernel may write this output over the bytes of this input, if the
 * input dies there
 *   and takes as many bytes
 * @param alias whether the first output is the first input's bytes under another shape, so that nothing need run
 * @param elementwise whether each element of the result is made from those at its place alone, inputs being stretched
 *   where shapes broadcast
 */
public record MemoryTraits(List<Pair> inPlace, boolean alias, boolean elementwise) {
  /**
   * A node with this attribute computes what its operator does in training. It is never an alias, as {@code Dropout} is
   * otherwise.
   */
  public static final String TRAINING = "training_mode";
  /** The kernel writes no output over an input, and no output is an alias. */
  public static final MemoryTraits NONE = new MemoryTraits(List.of(), false);
  /** The first output may take the first input's place. */
  public static final MemoryTraits FIRST_IN_PLACE = new MemoryTraits(List.of(new Pair(0, 0)), false);
  /** The first output may take the place of either of the first two inputs. */
  public static final MemoryTraits EITHER_IN_PLACE = new MemoryTraits(List.of(new Pair(0, 0), new Pair(1, 0)), false);
  /** The first output is the first input under another shape. */
  public static final MemoryTraits ALIAS = new MemoryTraits(List.of(), true);

  /** An output may take the place of an input. */
  public record Pair(int input, int output) {}

  public MemoryTraits {
    inPlace = List.copyOf(inPlace);
  }

  /** The traits of an operator that is not elementwise. */
  public MemoryTraits(List<Pair> inPlace, boolean alias) {
    this(inPlace, alias, false);
  }

  /** The same traits, for an elementwise operator. */
  public MemoryTraits asElementwise() {
    return new MemoryTraits(inPlace, alias, true);
  }

  /** The traits of a use of the operator with these attributes. */
  public MemoryTraits of(Attributes attributes) {
    if (alias && DropoutForm.of(attributes).isTraining()) {
      return new MemoryTraits(inPlace, false);
    }
    Optional<long[]> noted = FusedNodes.of(attributes).inPlace();
    if (inPlace.isEmpty() || noted.isEmpty()) {
      return this;
    }
    long[] own = noted.get();
    List<Pair> allowed = new ArrayList<>();
    for (int i = 0; i + 1 < own.length; i += 2) {
      var pair = new Pair((int) own[i], (int) own[i + 1]);
      if (inPlace.contains(pair)) {
        allowed.add(pair);
      }
    }
    return new MemoryTraits(allowed, alias, elementwise);
  }

  /** Whether the kernel may write the output over this input. */
  public boolean allowsInPlace(int input, int output) {
    return inPlace.contains(new Pair(input, output));
  }
}
