package dev.cairn.runtime.memory.planner.nnvm;

/** Which types an output and the input whose storage it takes may have: by the versions. */
public enum InPlaceRule {
  /** The first: equal types. */
  EQUAL_TYPE,
  /** The last: types of equal size will do, but an identity counts as one only between equal types. */
  EQUAL_SIZE_TRUE_IDENTITY;

  boolean allows(ElementType output, ElementType input) {
    return output.equals(input) || (this != EQUAL_TYPE && output.bytes() == input.bytes());
  }

  boolean isIdentity(ElementType output, ElementType input) {
    return this != EQUAL_SIZE_TRUE_IDENTITY || output.equals(input);
  }
}
