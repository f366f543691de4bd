package dev.cairn.runtime.custom;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bodies of composite operators that use others. */
final class Nested {
  private Nested() {}

  static <T extends Expression<T>> List<T> twice(List<@Nullable T> inputs, Attributes attributes) {
    T once = first(inputs).call("my::Mish", Attributes.NONE).call("my::Square", Attributes.NONE);
    return List.of(once.call("my::Mish", Attributes.NONE));
  }

  static <T extends Expression<T>> List<T> self(List<@Nullable T> inputs, Attributes attributes) {
    return List.of(first(inputs).call("my::Self", Attributes.NONE));
  }

  /** Twice as many nodes in each round. */
  static <T extends Expression<T>> List<T> selves(List<@Nullable T> inputs, Attributes attributes) {
    T self = first(inputs).call("my::Selves", Attributes.NONE);
    return List.of(self.add(first(inputs).call("my::Selves", Attributes.NONE)));
  }

  static <T extends Expression<T>> List<T> none(List<@Nullable T> inputs, Attributes attributes) {
    return List.of();
  }

  private static <T> T first(List<@Nullable T> inputs) {
    return Objects.requireNonNull(inputs.get(0));
  }
}
