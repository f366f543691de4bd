package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a fused node computes of each element by itself: numbered steps, each an operator over inputs and earlier
 * steps, and which of the steps are results. All steps have one shape, to which the inputs stretch. Immutable. Text
 * form:
 *
 * <pre> %0 = Add(x0, x1) float32; %1 = Clip(%0, x2, _) float32; return %1, %0 </pre>
 *
 * As {@link Attributes}, a program is its text and the steps' own attributes, each under its step's number.
 *
 * @param results indices of steps, no two alike
 */
public record PointwiseProgram(List<Step> steps, List<Integer> results) {
  /** The operator of nodes whose attributes are a program. */
  public static final String OPERATOR = "FusedPointwise";
  private static final String TEXT = "program";

  /** What a step reads. */
  public sealed interface Operand {}

  /** An input of the fused node. */
  public record Input(int index) implements Operand {
    @Override
    public String toString() {
      return "x" + index;
    }
  }

  /** The result of an earlier step. */
  public record Value(int step) implements Operand {
    @Override
    public String toString() {
      return "%" + step;
    }
  }

  /** An optional operand that is left out. */
  public record Absent() implements Operand {
    @Override
    public String toString() {
      return "_";
    }
  }

  /** One operator. {@code dtype} is of the result. */
  public record Step(String operator, Attributes attributes, DType dtype, List<Operand> operands) {
    public Step {
      operands = List.copyOf(operands);
    }

    @Override
    public String toString() {
      return operands.stream().map(Operand::toString).collect(Collectors.joining(", ", operator + "(", ") " + dtype));
    }
  }

  /** @throws IllegalArgumentException when a step reads a later one, or a result is no step or named twice */
  public PointwiseProgram {
    steps = List.copyOf(steps);
    results = List.copyOf(results);
    for (int step = 0; step < steps.size(); step++) {
      for (Operand operand : steps.get(step).operands) {
        if ((operand instanceof Value(int read) && (read < 0 || read >= step))
          || (operand instanceof Input(int index) && index < 0)) {
          throw new IllegalArgumentException("a step reads what is not there: step=%d operand=%s".formatted(step,
            operand));
        }
      }
    }
    int count = steps.size();
    if (results.isEmpty() || new HashSet<>(results).size() < results.size()
      || results.stream().anyMatch(it -> it < 0 || it >= count)) {
      throw new IllegalArgumentException("not results: results=%s steps=%d".formatted(results, steps.size()));
    }
  }

  /**
   * The program that is written in a node's attributes.
   *
   * @throws IllegalArgumentException when there is none, or one that can't be read
   */
  public static PointwiseProgram of(Attributes attributes) {
    return PointwiseText.read(attributes.getText(TEXT, ""), attributes);
  }

  /** From which {@link #of} makes the program again. */
  public Attributes attributes() {
    Attributes all = Attributes.NONE.with(TEXT, new AttributeValue.Text(toString()));
    for (int step = 0; step < steps.size(); step++) {
      for (var attribute : steps.get(step).attributes.asMap().entrySet()) {
        all = all.with(step + "." + attribute.getKey(), attribute.getValue());
      }
    }
    return all;
  }

  /** How many inputs there must be: one more than the highest index. */
  public int inputCount() {
    int count = 0;
    for (Step step : steps) {
      for (Operand operand : step.operands) {
        count = operand instanceof Input(int index) ? Math.max(count, index + 1) : count;
      }
    }
    return count;
  }

  /** The element types of the results, in order. */
  public List<DType> resultTypes() {
    return results.stream().map(step -> steps.get(step).dtype).toList();
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    for (int step = 0; step < steps.size(); step++) {
      lines.add("%" + step + " = " + steps.get(step));
    }
    lines.add(results.stream().map(step -> "%" + step).collect(Collectors.joining(", ", "return ", "")));
    return String.join("; ", lines);
  }
}
