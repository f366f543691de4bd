package dev.cairn.runtime.memory.planner.inductor;

/**
 * One line of a program as Inductor writes it before planning: what is allocated and freed, and what runs in between.
 * The plainest form that its planners need. Immutable.
 */
public sealed interface MemoryLine {
  /** The buffer begins; the next kernel may write it. */
  record Allocate(LineBuffer buffer) implements MemoryLine {
    @Override
    public String toString() {
      return "allocate " + buffer;
    }
  }

  /** The buffer ends; the kernels before it were the last to use it. */
  record Free(LineBuffer buffer) implements MemoryLine {
    @Override
    public String toString() {
      return "free " + buffer;
    }
  }

  /** A buffer ends and another begins in its bytes: written in place, or handed over by {@link LineReuse}. */
  record Reuse(LineBuffer from, LineBuffer to) implements MemoryLine {
    @Override
    public String toString() {
      return "reuse " + from + " as " + to;
    }
  }

  /** A kernel runs. */
  record Kernel(String name) implements MemoryLine {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A subgraph begins: what was freed outside is not taken inside, nor the other way round. */
  record EnterSubgraph(String name) implements MemoryLine {
    @Override
    public String toString() {
      return "enter " + name;
    }
  }

  /** The innermost subgraph ends. */
  record ExitSubgraph(String name) implements MemoryLine {
    @Override
    public String toString() {
      return "exit " + name;
    }
  }

  /** Whether it allocates, frees or hands over; consecutive lines of this kind are one step of time. */
  default boolean isMemory() {
    return switch (this) {
      case Allocate _,Free _,Reuse _ -> true;
      case Kernel _,EnterSubgraph _,ExitSubgraph _ -> false;
    };
  }
}
