package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an expression applies an operator; the base of all families of functions. */
public interface OperatorCalls<T extends OperatorCalls<T>> {
  /** The operator without operands whose result is its attribute {@code value}. */
  String CONSTANT = "Constant";

  /**
   * Applies an operator of ONNX by its name.
   *
   * @param results how many results are wanted, at least 1
   * @param operands in the operator's order; null for an omitted one
   * @throws IllegalArgumentException when types or attributes break the operator's rules
   */
  List<T> apply(String operator, Attributes attributes, int results, List<@Nullable T> operands);

  /**
   * A number as a scalar of this expression's element type.
   *
   * @throws IllegalArgumentException when the element type cannot hold it
   */
  T scalar(Number value);

  /** This expression as the type of its own class. */
  @SuppressWarnings("unchecked")
  private T self() {
    return (T) this;
  }

  /** A small tensor whose value is known before anything runs, such as axes. */
  default T constant(TensorView value) {
    return apply(CONSTANT, Attributes.NONE.with("value", new AttributeValue.Tensor(value)), 1, List.of()).get(0);
  }

  /** The only result of an operator of this expression alone. */
  default T call(String operator, Attributes attributes) {
    return apply(operator, attributes, 1, List.of(self())).get(0);
  }

  /** The only result of an operator of this expression and another. */
  default T call(String operator, Attributes attributes, T other) {
    return apply(operator, attributes, 1, List.of(self(), other)).get(0);
  }

  /** Like {@link #apply}, with this expression as the first operand. */
  default List<T> callAll(String operator, Attributes attributes, int results, List<? extends @Nullable T> others) {
    List<@Nullable T> operands = new ArrayList<>();
    operands.add(self());
    operands.addAll(others);
    return apply(operator, attributes, results, operands);
  }

  /** The only result of an operator of this expression and whole numbers, such as axes. */
  default T callWith(String operator, Attributes attributes, long... numbers) {
    return call(operator, attributes, longs(numbers));
  }

  /** A list of whole numbers, such as axes or a shape. */
  default T longs(long... numbers) {
    return constant(TensorView.ofLongs(numbers));
  }
}
