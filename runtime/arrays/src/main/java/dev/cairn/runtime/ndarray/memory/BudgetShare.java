package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.budget.MemoryQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A device's part in a memory budget, if the options name one: its regions count there, other members can have its idle
 * memory, and it has theirs. Thread-safe.
 */
final class BudgetShare implements AutoCloseable {
  private final Optional<MemoryBudget> budget;
  private final String device;
  private MemoryBudget.@Nullable Member member;

  BudgetShare(Optional<MemoryBudget> budget, String device) {
    this.budget = budget;
    this.device = device;
  }

  SubAllocator counting(SubAllocator source) {
    return budget.map(it -> it.counting(source)).orElse(source);
  }

  /**
   * Joins the budget with an allocator over {@link #counting}.
   *
   * @throws IllegalArgumentException when the budget is another device's
   */
  void join(Allocator pool) {
    if (budget.isPresent()) {
      MemoryBudget.Member joining = new MemoryBudget.Member() {
        @Override
        public void releaseExecutors() {
          pool.trim();
        }

        @Override
        public void releaseWeights() {}
      };
      budget.get().join(joining, device);
      member = joining;
    }
  }

  /**
   * Asks for memory again after a refusal, each time that other members gave some back.
   *
   * @throws OutOfMemory when they have none, either
   */
  Block allocate(OutOfMemory refused, Supplier<Block> ask) {
    OutOfMemory last = refused;
    MemoryBudget.Member asking = member;
    List<MemoryQueue.Room> rooms = asking == null
      ? List.of(_ -> true)
      : budget.orElseThrow().roomFor(asking);
    for (MemoryQueue.Room room : rooms) {
      if (room.make(last)) {
        try {
          return ask.get();
        } catch (OutOfMemory stillRefused) {
          last = stillRefused;
        }
      }
    }
    long ownBytes = last.memoryMap().stats().poolBytes();
    throw budget.isEmpty() ? last : budget.get().explained(last, ownBytes + last.roundedBytes(), ownBytes);
  }

  /** Tells members that wait for memory that some may be had. */
  void freed() {
    if (member != null) {
      budget.orElseThrow().queue().released();
    }
  }

  @Override
  public void close() {
    MemoryBudget.Member joined = member;
    if (joined != null) {
      budget.orElseThrow().leave(joined);
      budget.orElseThrow().queue().released();
    }
  }
}
