package dev.cairn.runtime.symbol;

import dev.cairn.kernels.device.ProgramLocal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names nodes that have no name of their own: the operator's name in lower camel case and a counter, as in {@code
 * relu0}. Each thread has its own scopes. An open scope counts from 0 and puts its prefix before the names of its
 * nodes; scopes nest, and so do prefixes.
 */
public final class NameScope implements AutoCloseable {
  private static final ProgramLocal<NameScope> INNERMOST = new ProgramLocal<>();

  private final String prefix;
  private final @Nullable NameScope outer;
  private final Map<String, Integer> counters = new HashMap<>();

  private NameScope(String prefix, @Nullable NameScope outer) {
    this.prefix = prefix;
    this.outer = outer;
  }

  /** Opens a scope whose names begin with the prefix, after the prefixes of the scopes around it. */
  public static NameScope prefix(String prefix) {
    NameScope around = current();
    var scope = new NameScope(around.prefix + prefix, around);
    INNERMOST.set(scope);
    return scope;
  }

  /** This thread's innermost scope; outside of all, one that is never closed. */
  private static NameScope current() {
    NameScope innermost = INNERMOST.get();
    if (innermost == null) {
      innermost = new NameScope("", null);
      INNERMOST.set(innermost);
    }
    return innermost;
  }

  /** Opens a scope that only counts anew. */
  public static NameScope fresh() {
    return prefix("");
  }

  /** The name of a node that was given none. */
  static String next(String operator) {
    NameScope scope = current();
    String base = lowerCamel(operator);
    int number = scope.counters.merge(base, 1, Integer::sum) - 1;
    return scope.prefix + base + number;
  }

  /** A given name behind the prefix of the thread's scope. */
  static String of(String name) {
    return current().prefix + name;
  }

  /** {@code matMul} for MatMul, {@code lstm} for LSTM, {@code lpPool} for LpPool. */
  private static String lowerCamel(String operator) {
    String local = operator.substring(Math.max(operator.lastIndexOf('.'), operator.lastIndexOf(':')) + 1);
    int capitals = 0;
    while (capitals < local.length() && !Character.isLowerCase(local.charAt(capitals))) {
      capitals++;
    }
    int lowered = capitals == local.length() ? capitals : Math.max(1, capitals - 1);
    StringBuilder name = new StringBuilder(local);
    for (int i = 0; i < Math.min(lowered, name.length()); i++) {
      name.setCharAt(i, Character.toLowerCase(name.charAt(i)));
    }
    return name.toString();
  }

  /** @throws IllegalStateException when it is not the innermost scope of this thread */
  @Override
  public void close() {
    if (current() != this || outer == null) {
      throw new IllegalStateException("scopes close in reverse order, on their thread: prefix=" + prefix);
    }
    INNERMOST.set(outer);
  }
}
