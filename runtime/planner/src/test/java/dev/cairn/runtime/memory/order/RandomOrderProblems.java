package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded problems of many kinds: wide and narrow, values of none to many readers, kept ones, workspaces, in place. */
public final class RandomOrderProblems {
  private RandomOrderProblems() {}

  /** @param reach how far back a node reads: small for long graphs, as large as the graph for tangled ones */
  public static OrderProblem seeded(long seed, int nodes, int reach) {
    Random random = new Random(seed);
    int kind = random.nextInt(3);
    List<List<List<Integer>>> readers = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      readers.add(new ArrayList<>());
      for (int i = random.nextInt(10) == 0 ? 2 : 1; i > 0; i--) {
        readers.getLast().add(new ArrayList<>());
      }
      for (int reads = random.nextInt(4); reads > 0 && node > 0; reads--) {
        List<List<Integer>> values = readers.get(Math.max(0, node - 1 - random.nextInt(reach)));
        values.get(random.nextInt(values.size())).add(node);
      }
    }
    return build(random, kind, readers);
  }

  private static OrderProblem build(Random random, int kind, List<List<List<Integer>>> readers) {
    var builder = OrderProblem.builder(readers.size());
    List<int[]> reads = new ArrayList<>();
    for (int node = 0; node < readers.size(); node++) {
      int made = node;
      for (List<Integer> of : readers.get(node)) {
        int v = builder.value(node, bytes(random, kind), random.nextInt(8) == 0,
          of.stream().mapToInt(Integer::intValue).toArray());
        of.forEach(reader -> reads.add(new int[] {reader, v}));
        reads.stream().filter(it -> it[0] == made && random.nextBoolean())
          .forEach(it -> builder.inPlace(it[0], it[1], v));
      }
      if (random.nextInt(6) == 0) {
        builder.workspace(node, bytes(random, kind));
      }
      if (node > 0 && random.nextInt(8) == 0) {
        builder.before(random.nextInt(node), node);
      }
    }
    return builder.build();
  }

  private static long bytes(Random random, int kind) {
    return switch (kind) {
      case 0 -> 1 + random.nextInt(3);
      case 1 -> random.nextInt(100);
      default -> 1L << random.nextInt(12);
    };
  }
}
