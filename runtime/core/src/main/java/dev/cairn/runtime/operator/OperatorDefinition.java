package dev.cairn.runtime.operator;

/**
 * All that is known of one operator, complete by construction.
 *
 * @param name ONNX's name, such as {@code Conv}
 * @param minInputs how many inputs must be there; those after them are optional
 * @param maxInputs how many inputs there may be; {@link #ANY_NUMBER} for a variadic operator
 * @param typeRule from the inputs' types to the outputs' types
 * @param memory what the operator allows the memory planner
 * @param valueRule the first result's value, where the types alone fix it
 */
public record OperatorDefinition(String name, int minInputs, int maxInputs, TypeRule typeRule, MemoryTraits memory,
  ValueRule valueRule) {
  public static final int ANY_NUMBER = Integer.MAX_VALUE;

  public OperatorDefinition {
    if (minInputs < 0 || maxInputs < minInputs) {
      throw new IllegalArgumentException("inputs: name=%s min=%d max=%d".formatted(name, minInputs, maxInputs));
    }
  }

  /** An operator whose results' values depend on its inputs' values, which nearly all do. */
  public OperatorDefinition(String name, int minInputs, int maxInputs, TypeRule typeRule, MemoryTraits memory) {
    this(name, minInputs, maxInputs, typeRule, memory, ValueRule.NONE);
  }
}
