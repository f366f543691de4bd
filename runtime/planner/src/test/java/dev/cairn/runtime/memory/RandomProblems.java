package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Seeded problems of many kinds: none to 120 buffers, of no bytes, equal, mixed; alignments 1 to 4096; outputs; kept
 * ones.
 */
public final class RandomProblems {
  private static final int[] SIZES = {0, 1, 2, 3, 7, 20, 50, 120};

  private RandomProblems() {}

  /** The same problem for the same seed. */
  public static MemoryProblem seeded(long seed) {
    RandomGenerator random = new Random(seed);
    int size = SIZES[(int) (seed % SIZES.length)];
    int steps = 1 + random.nextInt(1 + 2 * size);
    boolean aligned = random.nextBoolean();
    boolean flagged = random.nextBoolean();
    int kind = random.nextInt(4);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int first = random.nextInt(steps);
      int longest = random.nextInt(4) == 0 ? steps - first : Math.min(steps - first, 6);
      Buffer buffer = Buffer.of("b" + i, bytes(random, kind), new Lifetime(first, first + 1 + random.nextInt(longest)))
        .withReuseKey("s" + random.nextInt(2));
      if (aligned) {
        buffer = buffer.withAlignment(1L << random.nextInt(13));
      }
      if (flagged && random.nextInt(10) == 0) {
        buffer = random.nextBoolean() ? buffer.withoutReuse() : buffer.asOutput();
      }
      buffers.add(buffer);
    }
    return new MemoryProblem(buffers);
  }

  /**
   * The same problem for the same seed, with every feature: gaps, two devices, groups, conflicts, fixed offsets that
   * come from a plan and so don't contradict one another.
   */
  public static MemoryProblem constrained(long seed) {
    MemoryProblem plain = seeded(seed);
    RandomGenerator random = new Random(~seed);
    int devices = 1 + random.nextInt(2);
    List<Buffer> buffers = new ArrayList<>();
    for (Buffer buffer : plain.buffers()) {
      buffers.add(withGaps(random, buffer).onDevice(random.nextInt(devices)));
    }
    MemoryProblem problem = new MemoryProblem(buffers, groups(random, buffers), conflicts(random, buffers.size()));
    return random.nextBoolean() ? withFixedOffsets(random, problem) : problem;
  }

  private static Buffer withGaps(RandomGenerator random, Buffer buffer) {
    Lifetime life = buffer.lifetime();
    List<Lifetime> gaps = new ArrayList<>();
    int latest = buffer.output() || !buffer.reusable() ? life.end() - 1 : life.end();
    for (int step = life.first(); step < latest; step++) {
      if (random.nextInt(4) == 0) {
        gaps.add(new Lifetime(step, Math.min(latest, step + 1 + random.nextInt(3))));
      }
    }
    return random.nextInt(3) == 0 ? buffer : buffer.withGaps(gaps);
  }

  private static List<ContiguousGroup> groups(RandomGenerator random, List<Buffer> buffers) {
    List<ContiguousGroup> groups = new ArrayList<>();
    List<Integer> members = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      Buffer first = members.isEmpty() ? buffers.get(i) : buffers.get(members.getFirst());
      // Alignments that descend never contradict one another.
      if (random.nextInt(6) == 0 && buffers.get(i).device() == first.device()
        && (members.isEmpty() || buffers.get(i).alignment() <= buffers.get(members.getLast()).alignment())) {
        members.add(i);
      }
      if (members.size() > 1 && random.nextInt(3) == 0) {
        groups.add(new ContiguousGroup(members));
        members.clear();
      }
    }
    return groups;
  }

  private static Conflicts conflicts(RandomGenerator random, int size) {
    var conflicts = new Conflicts.Builder();
    for (int i = 0; size > 1 && i < random.nextInt(2 * size); i++) {
      int first = random.nextInt(size);
      conflicts.add(first, (first + 1 + random.nextInt(size - 1)) % size);
    }
    return conflicts.build();
  }

  /** Fixes some buffers at the bottom of an arena for each device, end to end with holes; not those in groups. */
  private static MemoryProblem withFixedOffsets(RandomGenerator random, MemoryProblem problem) {
    long[] tops = new long[2];
    List<Buffer> buffers = new ArrayList<>(problem.buffers());
    for (PlacementUnit unit : problem.units()) {
      if (random.nextInt(8) == 0) {
        int index = unit.buffer(random.nextInt(unit.size()));
        long base = unit.lowestBase(tops[unit.device()] + random.nextInt(3) * 1_000L);
        long start = 0;
        for (int member = 0; member < unit.size(); member++) {
          start = unit.buffer(member) == index ? unit.start(member) : start;
        }
        tops[unit.device()] = base + unit.bytes();
        buffers.set(index, buffers.get(index).withFixedOffset(base + start));
      }
    }
    return new MemoryProblem(buffers, problem.groups(), problem.conflicts());
  }

  private static long bytes(RandomGenerator random, int kind) {
    return switch (kind) {
      case 0 -> 64;
      case 1 -> random.nextInt(4);
      case 2 -> 1L << random.nextInt(20);
      default -> random.nextInt(5) == 0 ? 0 : random.nextLong(1, 100_000);
    };
  }
}
