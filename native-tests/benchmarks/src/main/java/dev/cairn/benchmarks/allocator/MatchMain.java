package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Rounds;
import java.util.List;

/**
 * The main class of a process that plays a table's matches: {@code CLASS EFFORT}. It prints the key of a match and the
 * nanoseconds of both, for each round.
 */
final class MatchMain {
  private MatchMain() {}

  /** Plays its part of the rounds. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Effort effort = Effort.parse(arguments[1]);
    ContestTable table = Class.forName(arguments[0]).asSubclass(ContestTable.class).getDeclaredConstructor()
      .newInstance();
    for (Match match : table.matches(effort)) {
      Rounds played = match.played(effort.roundsOfAProcess(match.rounds()));
      List<Double> cairn = played.scores().get(0);
      List<Double> ort = played.scores().get(1);
      for (int round = 0; round < cairn.size(); round++) {
        System.out.println(match.rule().key() + " " + cairn.get(round) + " " + ort.get(round));
      }
    }
  }
}
