package dev.cairn.kernels.attribute;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one operation, sorted by name. Immutable. Two objects are equal if all names and values are equal.
 * Getters take the operator's default. They throw if the attribute has another kind.
 */
public final class Attributes {
  public static final Attributes NONE = new Attributes(Map.of());

  private final Map<String, AttributeValue> values;
  /** 0 until {@link #hashCode} computes it. */
  private int hash;
  /** The form that {@link #parsed} made last; null before. */
  private volatile @Nullable Object form;

  private Attributes(Map<String, AttributeValue> values) {
    this.values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  public static Attributes of(Map<String, AttributeValue> values) {
    return values.isEmpty() ? NONE : new Attributes(values);
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public Optional<AttributeValue> find(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public Map<String, AttributeValue> asMap() {
    return values;
  }

  public long getLong(String name, long absent) {
    return switch (values.get(name)) {
      case null -> absent;
      case AttributeValue.Int(long value) -> value;
      case AttributeValue other -> throw wrongKind(name, "a whole number", other);
    };
  }

  public int getInt(String name, int absent) {
    return Math.toIntExact(getLong(name, absent));
  }

  public boolean getFlag(String name, boolean absent) {
    return getLong(name, absent ? 1 : 0) != 0;
  }

  public float getFloat(String name, float absent) {
    return switch (values.get(name)) {
      case null -> absent;
      case AttributeValue.Real(float value) -> value;
      case AttributeValue.Int(long value) -> value;
      case AttributeValue other -> throw wrongKind(name, "a real number", other);
    };
  }

  public String getText(String name, String absent) {
    return switch (values.get(name)) {
      case null -> absent;
      case AttributeValue.Text(String value) -> value;
      case AttributeValue other -> throw wrongKind(name, "text", other);
    };
  }

  /** The integers of an attribute, or {@code absent} itself (which may be empty) if the attribute is missing. */
  public long[] getLongs(String name, long... absent) {
    return switch (values.get(name)) {
      case null -> absent;
      case AttributeValue.Ints ints -> {
        long[] longs = new long[ints.values().size()];
        for (int i = 0; i < longs.length; i++) {
          longs[i] = ints.values().get(i);
        }
        yield longs;
      }
      case AttributeValue other -> throw wrongKind(name, "whole numbers", other);
    };
  }

  /** The real numbers of an attribute; empty if the attribute is missing. */
  public List<Float> getFloats(String name) {
    return switch (values.get(name)) {
      case null -> List.of();
      case AttributeValue.Reals(List<Float> reals) -> reals;
      case AttributeValue.Ints(List<Long> whole) -> whole.stream().map(Long::floatValue).toList();
      case AttributeValue other -> throw wrongKind(name, "real numbers", other);
    };
  }

  /** The strings of an attribute; empty if the attribute is missing. */
  public List<String> getTexts(String name) {
    return switch (values.get(name)) {
      case null -> List.of();
      case AttributeValue.Texts(List<String> texts) -> texts;
      case AttributeValue other -> throw wrongKind(name, "texts", other);
    };
  }

  /**
   * The form that a parser makes of these attributes. It is kept, so that a form of many numbers is parsed once for all
   * runs of an operation.
   */
  public <T> T parsed(Class<T> kind, Function<Attributes, T> parser) {
    Object known = form;
    if (kind.isInstance(known)) {
      return kind.cast(known);
    }
    T made = parser.apply(this);
    form = made;
    return made;
  }

  /** These attributes with one added or replaced. */
  public Attributes with(String name, AttributeValue value) {
    var copy = new TreeMap<>(values);
    copy.put(name, value);
    return new Attributes(copy);
  }

  public Attributes with(String name, long value) {
    return with(name, new AttributeValue.Int(value));
  }

  /** These attributes without one of them. */
  public Attributes without(String name) {
    var copy = new TreeMap<>(values);
    copy.remove(name);
    return of(copy);
  }

  private static IllegalArgumentException wrongKind(String name, String wanted, AttributeValue given) {
    return new IllegalArgumentException(
      "attribute of another kind: name=%s wanted=%s given=%s".formatted(name, wanted, given));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Attributes that && values.equals(that.values));
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0 && !values.isEmpty()) {
      known = values.hashCode();
      hash = known;
    }
    return known;
  }

  /** {@code {axis=1, mode="linear"}}; an empty string if there are no attributes. */
  @Override
  public String toString() {
    return values.isEmpty()
      ? ""
      : values.entrySet()
        .stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
