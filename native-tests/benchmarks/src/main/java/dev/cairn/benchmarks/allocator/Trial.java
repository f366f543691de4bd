package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One workload, as it is to be timed.
 *
 * @param workload a class of JMH's benchmarks
 * @param operations how many one invocation does
 * @param parameters by name, as JMH sets them
 * @param threads that run it, all on one arena
 */
record Trial(Class<?> workload, int operations, Map<String, String> parameters, int threads) {
  Trial {
    parameters = Map.copyOf(parameters);
  }

  /** A workload of an arena, by one thread. */
  static Trial of(Class<?> workload, ArenaKind kind, int operations) {
    return new Trial(workload, operations, Map.of("kind", kind.name()), 1);
  }

  /** The same with one more parameter of the workload. */
  Trial with(String name, int value) {
    Map<String, String> more = new LinkedHashMap<>(parameters);
    more.put(name, Integer.toString(value));
    return new Trial(workload, operations, more, threads);
  }

  /** The same by more threads. */
  Trial withThreads(int newThreads) {
    return new Trial(workload, operations, parameters, newThreads);
  }
}
