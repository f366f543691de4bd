package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compares arrays, by name or by place. AssertJ's recursive comparison takes seconds for a megabyte. */
public final class SameValues {
  private SameValues() {}

  /** Fails with the first name whose arrays differ. */
  public static <A> void assertSame(Map<String, A> actual, Map<String, A> expected) {
    assertThat(actual).containsOnlyKeys(expected.keySet());
    expected.forEach((name, values) -> assertThat(Objects.deepEquals(actual.get(name), values)).as("%s is the same",
      name).isTrue());
  }

  /** Fails with the first place whose arrays differ. */
  public static <A> void assertSame(List<A> actual, List<A> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(Objects.deepEquals(actual.get(i), expected.get(i))).as("values %d are the same", i).isTrue();
    }
  }
}
