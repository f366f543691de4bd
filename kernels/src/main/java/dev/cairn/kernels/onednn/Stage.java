package dev.cairn.kernels.onednn;

import java.util.List;

/**
 * One primitive of a program.
 *
 * @param descriptor of the primitive
 * @param arguments what it reads and writes
 * @param isSkippedInPlace whether it copies an input that may lie where its copy is to lie; then there is nothing to do
 */
record Stage(long descriptor, List<Argument> arguments, boolean isSkippedInPlace) {
  /** The arguments' numbers: oneDNN's {@code DNNL_ARG_…}. */
  static final int SOURCE = 1;
  static final int RESULT = 17;
  static final int WEIGHTS = 33;
  static final int BIAS = 41;
  static final int SCRATCHPAD = 80;
  static final int RESULT_GRADIENT = 145;
  static final int WEIGHT_GRADIENT = 161;

  /**
   * One argument.
   *
   * @param number which one, in oneDNN's numbers
   * @param layout a memory descriptor
   */
  record Argument(int number, long layout, OperandPlace place) {}

  Stage {
    arguments = List.copyOf(arguments);
  }

  /** A stage that always runs. */
  Stage(long descriptor, List<Argument> arguments) {
    this(descriptor, arguments, false);
  }
}
