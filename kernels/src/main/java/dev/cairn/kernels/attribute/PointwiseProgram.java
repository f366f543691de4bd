package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The computation of a fused pointwise node: numbered steps, and the indices of the steps that are results. Each step
 * applies an operator to inputs and earlier steps. All steps have one shape, and inputs broadcast to it. Immutable.
 * Text form:
 *
 * <pre> %0 = Add(x0, x1) float32; %1 = Clip(%0, x2, _) float32; return %1, %0 </pre>
 *
 * In {@link Attributes}, a program is its text and the attributes of its steps, prefixed with the step's number.
 *
 * @param results distinct indices of steps
 */
public record PointwiseProgram(List<Step> steps, List<Integer> results) {
  /** The operator of nodes that hold a program in their attributes. */
  public static final String OPERATOR = "FusedPointwise";
  private static final String TEXT = "program";

  /** An operand of a step. */
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

  /** An absent optional operand. */
  public record Absent() implements Operand {
    @Override
    public String toString() {
      return "_";
    }
  }

  /** One operator. {@code dtype} is the element type of its result. */
  public record Step(String operator, Attributes attributes, DType dtype, List<Operand> operands) {
    public Step {
      operands = List.copyOf(operands);
    }

    @Override
    public String toString() {
      return operands.stream().map(Operand::toString).collect(Collectors.joining(", ", operator + "(", ") " + dtype));
    }
  }

  /** @throws IllegalArgumentException if a step reads a later one, or a result is not a step or occurs twice */
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
   * Parses the program in a node's attributes.
   *
   * @throws IllegalArgumentException if it is missing or malformed
   */
  public static PointwiseProgram of(Attributes attributes) {
    return PointwiseText.read(attributes.getText(TEXT, ""), attributes);
  }

  /** The program as attributes, which {@link #of} parses. */
  public Attributes attributes() {
    Attributes all = Attributes.NONE.with(TEXT, new AttributeValue.Text(toString()));
    for (int step = 0; step < steps.size(); step++) {
      for (var attribute : steps.get(step).attributes.asMap().entrySet()) {
        all = all.with(step + "." + attribute.getKey(), attribute.getValue());
      }
    }
    return all;
  }

  /** The number of inputs that the program needs: one more than the highest index. */
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
