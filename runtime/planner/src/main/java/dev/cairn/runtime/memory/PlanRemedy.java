package dev.cairn.runtime.memory;

/** A remedy that makes a plan fit. Text form: what to do, and the bytes that are needed then. */
public sealed interface PlanRemedy {
  /** Another plan of the same problem fits; it needs {@code neededBytes} on all devices together. */
  record OtherPlan(String planner, long neededBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "planner %s, which needs %d".formatted(planner, neededBytes);
    }
  }

  /** No known plan fits, but a better plan may: every device's bound is within its limit. */
  record BetterPlan(long boundBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "a better plan: the lower bound is %d".formatted(boundBytes);
    }
  }

  /** A smaller batch; its plan needs {@code neededBytes}. */
  record SmallerBatch(long items, long neededBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "a batch of %d, which needs %d".formatted(items, neededBytes);
    }
  }

  /** A limit of {@code limitBytes}, which is enough by other means than a plan alone. */
  record OtherMeans(long limitBytes, String means) implements PlanRemedy {
    @Override
    public String toString() {
      return "a limit of %d, with which %s".formatted(limitBytes, means);
    }
  }

  /** An option with which it fits; it needs {@code neededBytes} then. */
  record OtherOption(String option, long neededBytes, String price) implements PlanRemedy {
    @Override
    public String toString() {
      return "%s, which needs %d: %s".formatted(option, neededBytes, price);
    }
  }

  /** A limit of at least {@code limitBytes} for a device. */
  record HigherLimit(int device, long limitBytes) implements PlanRemedy {
    @Override
    public String toString() {
      return "a limit of %d for device %d".formatted(limitBytes, device);
    }
  }
}
