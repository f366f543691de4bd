package dev.cairn.runtime.pass;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The known facts of a graph. Immutable. */
public final class GraphFacts {
  /** Nothing is known. */
  public static final GraphFacts NONE = new GraphFacts(Map.of());

  private final Map<Fact<?>, Object> values;

  private GraphFacts(Map<Fact<?>, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** The value of a fact, if it is known. */
  public <T> Optional<T> find(Fact<T> fact) {
    return Optional.ofNullable(values.get(fact)).map(fact.type()::cast);
  }

  /** These facts and one more, or another value of it. */
  public <T> GraphFacts with(Fact<T> fact, T value) {
    Map<Fact<?>, Object> more = new HashMap<>(values);
    more.put(fact, fact.type().cast(value));
    return new GraphFacts(more);
  }

  /** These facts and the others. Where both have a fact of a kind, the other one counts. */
  GraphFacts with(GraphFacts others) {
    Map<Fact<?>, Object> all = new HashMap<>(values);
    all.putAll(others.values);
    return new GraphFacts(all);
  }

  /** The facts that still hold for the graph after a change. */
  GraphFacts after(Set<Fact<?>> kept) {
    return new GraphFacts(values.entrySet().stream().filter(it -> it.getKey().lasts() || kept.contains(it.getKey()))
      .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  /** The facts that are known. */
  public Set<Fact<?>> known() {
    return values.keySet();
  }

  @Override
  public String toString() {
    return values.keySet().stream().map(Fact::name).collect(Collectors.toCollection(TreeSet::new)).toString();
  }
}
