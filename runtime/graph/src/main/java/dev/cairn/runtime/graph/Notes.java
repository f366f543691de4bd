package dev.cairn.runtime.graph;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Named hints on a node, such as the group of devices that it belongs to. No kernel, type rule or signature sees them:
 * nodes that differ in notes alone compute the same. Immutable; text form {@code ctx_group=dev1, lr_mult=2}.
 *
 * <p>{@code __lr_mult__} and {@code lr_mult} are one name, and so are the two forms of the other names that
 * MXNet writes both ways.
 *
 * @param values by name, sorted
 */
public record Notes(SortedMap<String, String> values) {
  /** No notes. */
  public static final Notes NONE = new Notes(new TreeMap<>());
  /** Names the group of devices that computes the node. */
  public static final String CONTEXT_GROUP = "ctx_group";
  /** Whether the node is computed again for the backward run instead of kept. */
  public static final String FORCE_MIRRORING = "force_mirroring";

  /** The element type that a node computes in: {@code float32} keeps it out of 16 bits, whatever the precision. */
  public static final String PRECISION = "precision";

  /**
   * Whether the node runs again. {@code always}: it does, at the end of its result's longest wait; {@code never}: it
   * does in no plan. The note binds: a compiler follows it, or throws {@link RefusedHint}.
   */
  public static final String REPEAT = "cairn.repeat";
  /**
   * Whether the node's results wait in the host's memory. {@code always}: they do, for their longest wait; {@code
   * never}: they do in no plan. The note binds as {@link #REPEAT} does.
   */
  public static final String OFFLOAD = "cairn.offload";
  /** The prefix of the names of notes that bind. */
  public static final String BINDING = "cairn.";

  private static final List<String> OF_TWO_FORMS = List.of("lr_mult", "wd_mult", CONTEXT_GROUP, FORCE_MIRRORING,
    "mirror_stage");

  /** @throws IllegalArgumentException when a name is blank, or a name or value has a control character */
  public Notes {
    var all = new TreeMap<String, String>();
    values.forEach((name, value) -> {
      if (name.isBlank() || hasControl(name) || hasControl(value)) {
        throw new IllegalArgumentException("a note is one line of text with a name: name=\"%s\" value=\"%s\"".formatted(
          name, value));
      }
      all.put(usual(name), value);
    });
    values = Collections.unmodifiableSortedMap(all);
  }

  public static Notes of(Map<String, String> values) {
    return values.isEmpty() ? NONE : new Notes(new TreeMap<>(values));
  }

  /** The name by which a note with two names is kept. */
  public static String usual(String name) {
    for (String known : OF_TWO_FORMS) {
      if (name.equals("__" + known + "__")) {
        return known;
      }
    }
    return name;
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  public Optional<String> get(String name) {
    return Optional.ofNullable(values.get(usual(name)));
  }

  public Notes with(String name, String value) {
    return withAll(of(Map.of(name, value)));
  }

  /** These notes and others. If both have a note of a name, the other one counts. */
  public Notes withAll(Notes others) {
    if (others.isEmpty()) {
      return this;
    }
    var all = new TreeMap<>(values);
    all.putAll(others.values);
    return new Notes(all);
  }

  /** Only the notes of these names. */
  public Notes only(List<String> names) {
    var some = new TreeMap<>(values);
    some.keySet().retainAll(names);
    return some.isEmpty() ? NONE : new Notes(some);
  }

  /** Whether one of the notes binds. Such a node stays a step of its own. */
  public boolean binds() {
    return values.keySet().stream().anyMatch(it -> it.startsWith(BINDING));
  }

  /** Whether nodes with these notes and others may become one: none binds, and all compute in the same type. */
  public boolean mayJoin(Notes others) {
    return !binds() && !others.binds() && get(PRECISION).equals(others.get(PRECISION));
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  @Override
  public String toString() {
    return values.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).collect(Collectors.joining(", "));
  }
}
