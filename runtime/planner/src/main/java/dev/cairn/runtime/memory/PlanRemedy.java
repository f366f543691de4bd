package dev.cairn.runtime.memory;

/** Something that would make a plan fit. Text form: what to do, and what is needed then. */
public sealed interface PlanRemedy {
  /** Another plan of the same problem fits; it needs so many bytes of all devices together. */
  record OtherPlan(String planner, long neededBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "planner %s, which needs %d".formatted(planner, neededBytes);
    }
  }

  /** No plan at hand fits, but nothing shows that none can: every device's bound is within its limit. */
  record BetterPlan(long boundBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "a better plan: the lower bound is %d".formatted(boundBytes);
    }
  }

  /** Fewer items at a time; the plan needs so many bytes then. */
  record SmallerBatch(long items, long neededBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "a batch of %d, which needs %d".formatted(items, neededBytes);
    }
  }

  /** A limit of at least so many bytes for a device. */
  record HigherLimit(int device, long limitBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "a limit of %d for device %d".formatted(limitBytes, device);
    }
  }
}
