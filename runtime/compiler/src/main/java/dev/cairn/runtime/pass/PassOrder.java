package dev.cairn.runtime.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Puts passes of users among others. */
public final class PassOrder {
  private PassOrder() {}

  /**
   * The passes of a stage with those of users, in the order in which these were added.
   *
   * @param own Cairn's passes of this stage
   * @throws IllegalArgumentException when a name is taken or not known, or no place suits a pass
   */
  public static List<Pass> of(List<? extends Pass> own, List<PlacedPass> placed, PlacedPass.Stage stage) {
    List<Pass> all = new ArrayList<>(own);
    for (PlacedPass each : placed) {
      if (each.stage() == stage) {
        all.add(place(each, all), new UserPass(each.pass()));
      }
    }
    return all;
  }

  /**
   * Checks the names of users' passes.
   *
   * @param own Cairn's passes of all stages
   * @throws IllegalArgumentException when one of Cairn's has the name of a user's
   */
  public static void requireFree(List<? extends Pass> own, List<PlacedPass> placed) {
    List<String> names = own.stream().map(Pass::name).toList();
    for (PlacedPass each : placed) {
      if (names.contains(each.pass().name())) {
        throw fault("a pass of this name is there already", each, names);
      }
    }
  }

  private static int place(PlacedPass placed, List<Pass> all) {
    List<String> names = all.stream().map(Pass::name).toList();
    int least = 0;
    for (String name : placed.after()) {
      least = Math.max(least, index(name, placed, names) + 1);
    }
    int most = names.size();
    for (String name : placed.before()) {
      most = Math.min(most, index(name, placed, names));
    }
    if (least > most) {
      throw fault("a pass cannot stand after and before these", placed, names);
    }
    return placed.after().isEmpty() ? most : least;
  }

  private static int index(String name, PlacedPass placed, List<String> names) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw fault("no such pass in this stage: name=" + name, placed, names);
    }
    return index;
  }

  private static IllegalArgumentException fault(String what, PlacedPass placed, List<String> names) {
    return new IllegalArgumentException(
      "%s: pass=%s stage=%s after=%s before=%s passes=%s".formatted(what, placed.pass()
        .name(), placed.stage(), sorted(placed.after()), sorted(placed.before()), names));
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().sorted().toList();
  }
}
