package dev.cairn.kernels.onednn;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The work of a kernel for one call: primitives one after the other. Its handles are as long there as the scope that it
 * was described in.
 *
 * @param packed layouts of inputs that are constants and are stored in another layout than their own
 * @param implementations what oneDNN calls the implementation of each stage
 * @param scalars inputs whose values are numbers of a primitive
 */
record Program(List<Stage> stages, long workspaceBytes, Map<Integer, Packed> packed, List<String> implementations,
  Set<Integer> scalars) {
  /** The layouts of a constant as it is, and packed. */
  record Packed(long from, long to) {}

  Program {
    stages = List.copyOf(stages);
    packed = Map.copyOf(packed);
    implementations = List.copyOf(implementations);
    scalars = Set.copyOf(scalars);
  }

  /** Whether oneDNN has nothing better than its reference code for a stage, which is very slow. */
  boolean isReference() {
    return implementations.stream().anyMatch(it -> it.startsWith("ref") || it.contains(":ref"));
  }
}
