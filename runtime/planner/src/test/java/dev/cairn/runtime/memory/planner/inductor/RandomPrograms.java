package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Seeded programs of many kinds: sizes fixed, symbolic or unbacked; several devices, data types, streams; outputs,
 * removed buffers, takeovers in place, subgraphs; buffers that die in the step in which they begin.
 */
final class RandomPrograms {
  /** Lengths of all dimensions, the hints first. */
  static final List<Map<String, Long>> DIMENSIONS = List.of(Map.of("s0", 3L, "s1", 5L, "u0", 7L),
    Map.of("s0", 1L, "s1", 1L, "u0", 1L), Map.of("s0", 90L, "s1", 2L, "u0", 0L), Map.of("s0", 2L, "s1", 70L, "u0",
      300L));

  private final Random random;
  private final Lines lines = new Lines();
  private final List<String> live = new ArrayList<>();
  private final int kind;
  private int names;
  private int depth;

  private RandomPrograms(long seed) {
    random = new Random(seed);
    kind = random.nextInt(4);
  }

  /** The same program for the same seed. */
  static MemoryProgram seeded(long seed) {
    return new RandomPrograms(seed).program(1 + (int) (seed % 90));
  }

  private MemoryProgram program(int turns) {
    int most = 1 + random.nextInt(12);
    for (int turn = 0; turn < turns; turn++) {
      while (!live.isEmpty() && (live.size() > most || random.nextInt(3) == 0)) {
        lines.free(live.remove(random.nextInt(live.size())));
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        allocate();
      }
      if (!live.isEmpty() && random.nextInt(8) == 0) {
        String to = "b" + names++;
        lines.reuse(live.remove(random.nextInt(live.size())), to);
        live.add(to);
      }
      if (random.nextInt(20) == 0) {
        nest();
      }
      if (random.nextInt(6) > 0) {
        lines.kernel();
      }
    }
    for (; depth > 0; depth--) {
      lines.exit();
    }
    // Without kernels behind them, remaining buffers would be popped. Some of these are freed, some are outputs.
    for (String name : live) {
      if (random.nextBoolean()) {
        lines.free(name);
      } else {
        lines.output(name);
      }
    }
    return lines.program();
  }

  private void nest() {
    if (depth > 0 && random.nextBoolean()) {
      lines.exit();
      depth--;
    } else {
      lines.enter();
      depth++;
    }
  }

  private void allocate() {
    String name = "b" + names++;
    int device = random.nextInt(12) == 0 ? 1 : 0;
    String dtype = random.nextInt(5) == 0 ? "int32" : "float32";
    int stream = random.nextInt(10) == 0 ? 1 : 0;
    lines.allocate(LineBuffer.of(name, bytes()).onDevice("d" + device).withDtype(dtype).onStream(stream));
    if (random.nextInt(15) == 0) {
      lines.free(name).removed(name);
    } else {
      live.add(name);
    }
  }

  private SymbolicSize bytes() {
    long factor = 4L * (1 + random.nextInt(6));
    return switch (kind) {
      case 0 -> SymbolicSize.of(1 + random.nextInt(3) * 100L);
      case 1 -> SymbolicSize.of(random.nextInt(6) == 0 ? 0 : random.nextInt(2000));
      default -> switch (random.nextInt(kind == 2 ? 3 : 4)) {
        case 0 -> SymbolicSize.dimension("s0", 3).times(factor * 3);
        case 1 -> SymbolicSize.dimension("s1", 5).times(SymbolicSize.dimension("s0", 3)).times(factor);
        case 2 -> SymbolicSize.of(factor * 40);
        default -> SymbolicSize.unbacked("u0").times(factor);
      };
    };
  }
}
