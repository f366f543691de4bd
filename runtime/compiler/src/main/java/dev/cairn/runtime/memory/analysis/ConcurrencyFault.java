package dev.cairn.runtime.memory.analysis;

/** One thing wrong with a plan on several streams. Text form: the fault, then the facts. */
public sealed interface ConcurrencyFault {
  /** A step waits for one that is not issued before it: the run could stand still. */
  record EndlessWait(int step, int waitsFor) implements ConcurrencyFault {
    @Override
    public String toString() {
      return "waits for what is not issued before it: step=%d waitsFor=%d".formatted(step, waitsFor);
    }
  }

  /** Two steps touch the same bytes, at least one of them writes, and nothing orders them. */
  record Race(int step, String buffer, int otherStep, String otherBuffer, int pool, long offset)
    implements
      ConcurrencyFault {
    @Override
    public String toString() {
      return ("nothing orders two uses of the same bytes: step=%d buffer=%s otherStep=%d otherBuffer=%s pool=%d "
        + "offset=%d").formatted(step, buffer, otherStep, otherBuffer, pool, offset);
    }
  }

  /** A step reads bytes of its buffer in which another buffer's content lies, or none ({@code owner} is empty). */
  record Overwritten(int step, String buffer, String owner, int pool, long offset) implements ConcurrencyFault {
    @Override
    public String toString() {
      return "reads what is not its buffer's: step=%d buffer=%s owner=%s pool=%d offset=%d".formatted(step, buffer,
        owner, pool, offset);
    }
  }
}
