package dev.cairn.runtime.pass;

import java.util.Set;
import java.util.TreeSet;

/**
 * A pass of a user, and its place among Cairn's own.
 *
 * @param after names of passes of this stage that it comes after; right after the last of them
 * @param before names of passes of this stage that it comes before
 */
public record PlacedPass(Pass pass, Stage stage, Set<String> after, Set<String> before) {
  /** When passes run. */
  public enum Stage {
    /** Once, on the model as it was read; only control flow that is the same in every run is resolved. */
    FIRST,
    /** With the simplification passes, again and again until nothing changes. */
    SIMPLIFICATION,
    /** Once after simplification and precision, before layouts and fusion. */
    LOWERED,
    /** Once at the end, on graphs with fused operators and other layouts. */
    LAST
  }

  /** @throws IllegalArgumentException when the pass has no name */
  public PlacedPass {
    String name = pass.name();
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a pass has a name, for reports and places: pass=%s name=%s".formatted(pass
        .getClass().getName(), name));
    }
    after = Set.copyOf(after);
    before = Set.copyOf(before);
  }

  /** A pass at the end of a stage. */
  public static PlacedPass at(Stage stage, Pass pass) {
    return new PlacedPass(pass, stage, Set.of(), Set.of());
  }

  /** The same pass after another of its stage, by name. */
  public PlacedPass after(String name) {
    Set<String> more = new TreeSet<>(after);
    more.add(name);
    return new PlacedPass(pass, stage, more, before);
  }

  /** The same pass before another of its stage, by name. */
  public PlacedPass before(String name) {
    Set<String> more = new TreeSet<>(before);
    more.add(name);
    return new PlacedPass(pass, stage, after, more);
  }
}
