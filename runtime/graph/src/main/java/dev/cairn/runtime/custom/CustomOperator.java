package dev.cairn.runtime.custom;

/** An operator of a user: kernels, or other operators that take its place. */
public sealed interface CustomOperator permits KernelOperator, CompositeOperator {
  /** Domain and name, as in {@code my::Square}. In an ONNX file, the node has this domain and this type. */
  String name();

  /** How many inputs must be there; those after them are optional. */
  int minInputs();

  /** How many inputs there may be. */
  int maxInputs();

  /** How many results each use has. */
  int results();
}
