package dev.cairn.runtime.custom;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operator of a user that consists of other operators, which replace it in graphs before anything else happens.
 * On arrays they run one after the other. Immutable.
 *
 * <pre>{@code
 * CompositeOperator mish = CompositeOperator.of("my::Mish", 1, Mine::mish);
 *
 * static <T extends Expression<T>> List<T> mish(List<T> inputs, Attributes attributes) {
 *   return List.of(inputs.get(0).mul(inputs.get(0).softplus().tanh()));
 * }
 * }</pre>
 *
 * @param body computes the results from the inputs
 */
public record CompositeOperator(String name, int minInputs, int maxInputs, int results, Body body)
  implements
    CustomOperator {
  /** Writes one use of the operator with others. A method reference implements it. */
  @FunctionalInterface
  public interface Body {
    /**
     * The results of one use.
     *
     * @param inputs as many as the operator has at most; null for an omitted one
     */
    <T extends Expression<T>> List<T> apply(List<@Nullable T> inputs, Attributes attributes);
  }

  public CompositeOperator {
    OperatorName.require(name, minInputs, maxInputs, results);
  }

  /** An operator with one result and no optional inputs. */
  public static CompositeOperator of(String name, int inputs, Body body) {
    return new CompositeOperator(name, inputs, inputs, 1, body);
  }

  /**
   * The results of one use.
   *
   * @param inputs null for an omitted one
   * @throws IllegalArgumentException when the use does not fit the operator, or its body gives other results
   */
  public <T extends Expression<T>> List<T> results(List<@Nullable T> inputs, Attributes attributes, int wanted) {
    boolean lacks = inputs.size() < minInputs || inputs.subList(0, minInputs).stream().anyMatch(Objects::isNull);
    if (lacks || inputs.size() > maxInputs || wanted != results) {
      throw new IllegalArgumentException(
        "wrong number of inputs or results: operator=%s inputs=%d least=%d most=%d results=%d wanted=%d".formatted(name,
          inputs.size(), minInputs, maxInputs, results, wanted));
    }
    List<@Nullable T> all = new ArrayList<>(inputs);
    while (all.size() < maxInputs) {
      all.add(null);
    }
    List<T> given = List.copyOf(body.apply(all, attributes));
    if (given.size() != results) {
      throw new IllegalArgumentException("the operator's body gives another number of results: operator=%s wanted=%d "
        .formatted(name, results) + "given=" + given.size());
    }
    return given;
  }
}
