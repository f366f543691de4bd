package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.GraphTypes;
import org.jspecify.annotations.Nullable;

/**
 * Something that is known of a graph, by name. Passes hand facts to later passes. A fact holds for one graph, so it is
 * dropped when a pass changes the graph, unless it lasts or the pass keeps it.
 *
 * @param type the class of its value
 * @param lasts whether it holds whatever passes do, such as where a model came from
 */
public record Fact<T>(String name, Class<T> type, boolean lasts) {
  /** The type of every entry, and the value of entries that depend on no input. The manager finds it. */
  public static final Fact<GraphTypes> TYPES = of("types", GraphTypes.class);

  /** A fact that holds for one graph. */
  public static <T> Fact<T> of(String name, Class<T> type) {
    return new Fact<>(name, type, false);
  }

  /** A fact that holds whatever passes do. */
  public static <T> Fact<T> lasting(String name, Class<T> type) {
    return new Fact<>(name, type, true);
  }

  // Written out: a record's own methods are slow until the JVM has compiled them, and opening a model asks often.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Fact<?> that && name.equals(that.name) && type.equals(that.type)
      && lasts == that.lasts);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
