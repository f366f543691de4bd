package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Block;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.Arrays;

/**
 * The buffers placed so far in a problem with groups, gaps, conflicts, fixed offsets or devices, in the order of their
 * offsets. What {@link PlacedBuffers} is for plain problems: O(n) a search for a buffer, O(m·n log n) for a group of
 * m. Not for several threads.
 */
final class PlacedBlocks {
  private final MemoryProblem problem;
  private final long[] offsets;
  private final int[] byOffset;
  private int count;

  /** Bases that a block cannot have: those in {@code (after, before)}. Both ascend with the lower end. */
  private record Ban(long after, long before) {}

  PlacedBlocks(MemoryProblem problem) {
    this.problem = problem;
    this.offsets = new long[problem.size()];
    this.byOffset = new int[problem.size()];
  }

  /** By buffer index. */
  long[] offsets() {
    return offsets.clone();
  }

  /** The base at which the block can be added; nothing is added yet. */
  long find(Block block, GapChoice choice) {
    long free = block.lowestBase(0); // lowest aligned base above all that is banned so far
    long chosen = -1;
    long chosenRoom = Long.MAX_VALUE;
    for (Ban ban : bans(block)) {
      long room = ban.after - free;
      if (room >= 0 && room < chosenRoom) {
        chosen = free;
        chosenRoom = room;
        if (room == 0 || choice == GapChoice.LOWEST) {
          return chosen; // no later gap can be better
        }
      }
      free = Math.max(free, block.lowestBase(ban.before));
    }
    return chosen >= 0 ? chosen : free;
  }

  /** Adds a block's buffers at this base. */
  void add(Block block, long base) {
    block.place(base, offsets);
    for (int member = 0; member < block.size(); member++) {
      int buffer = block.buffer(member);
      if (problem.buffer(buffer).bytes() > 0) {
        insert(buffer);
      }
    }
  }

  /** By where they begin. */
  private Ban[] bans(Block block) {
    Ban[] bans = new Ban[count * block.size()];
    int found = 0;
    for (int member = 0; member < block.size(); member++) {
      int buffer = block.buffer(member);
      long start = block.start(member);
      long bytes = problem.buffer(buffer).reservedBytes();
      for (int i = 0; i < count; i++) {
        int other = byOffset[i];
        if (problem.conflicts(buffer, other)) {
          long top = offsets[other] + problem.buffer(other).reservedBytes();
          bans[found++] = new Ban(offsets[other] - start - bytes, top - start);
        }
      }
    }
    Ban[] all = Arrays.copyOf(bans, found);
    if (block.size() > 1) {
      Arrays.sort(all, (a, b) -> Long.compare(a.after, b.after));
    }
    return all;
  }

  private void insert(int buffer) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (offsets[byOffset[middle]] < offsets[buffer]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(byOffset, low, byOffset, low + 1, count - low);
    byOffset[low] = buffer;
    count++;
  }
}
