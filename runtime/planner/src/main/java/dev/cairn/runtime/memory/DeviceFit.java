package dev.cairn.runtime.memory;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * How a plan fits one device. Text form: one line, without the buffers.
 *
 * @param device the device's number
 * @param neededBytes bytes that the plan and everything beside it take
 * @param limit the limit; empty for no limit
 * @param boundBytes the least that any plan of the problem takes
 * @param boundsRecomputation whether the bound also holds for plans that run steps again or copy values and weights
 * @param peakStep the first step with the most live bytes on the device
 * @param atPeak the live buffers at that step, largest first
 */
public record DeviceFit(int device, long neededBytes, OptionalLong limit, long boundBytes,
  boolean boundsRecomputation, int peakStep, List<Buffer> atPeak) {
  public DeviceFit {
    atPeak = List.copyOf(atPeak);
  }

  static DeviceFit of(int device, MemoryProblem problem, MemoryPlan plan, MemoryLimits limits, LowerBound bound) {
    long taken = limits.taken(device);
    long needed = plan.pools().stream().filter(pool -> pool.device() == device).mapToLong(Pool::bytes)
      .reduce(taken, Math::addExact);
    return new DeviceFit(device, needed, limits.of(device), Math.addExact(taken, bound.bytes()), false, bound
      .step(), heldAt(problem, device, bound.step()));
  }

  DeviceFit withBound(long bytes) {
    return new DeviceFit(device, neededBytes, limit, Math.max(boundBytes, bytes), boundsRecomputation, peakStep,
      atPeak);
  }

  DeviceFit withLeast(long bytes) {
    return new DeviceFit(device, neededBytes, limit, bytes, true, peakStep, atPeak);
  }

  private static List<Buffer> heldAt(MemoryProblem problem, int device, int step) {
    List<List<Lifetime>> active = problem.active();
    return IntStream.range(0, problem.size())
      .filter(i -> problem.buffer(i).device() == device)
      .filter(i -> active.get(i).stream().anyMatch(part -> part.contains(step)))
      .mapToObj(problem::buffer)
      .sorted(Comparator.comparingLong((Buffer buffer) -> -buffer.reservedBytes()))
      .toList();
  }

  public boolean fits() {
    return shortBytes() == 0;
  }

  /** How many bytes exceed the limit; 0 if the plan fits. */
  public long shortBytes() {
    return limit.isEmpty() ? 0 : Math.max(0, neededBytes - limit.getAsLong());
  }

  /** Whether no plan at all fits: the bound exceeds the limit. */
  public boolean isHopeless() {
    return limit.isPresent() && boundBytes > limit.getAsLong();
  }

  @Override
  public String toString() {
    String verdict = limit.isEmpty()
      ? ""
      : fits()
        ? ", fits %d, %d left".formatted(limit.getAsLong(), limit.getAsLong() - neededBytes)
        : ", does not fit %d, short by %d".formatted(limit.getAsLong(), shortBytes());
    String hopeless = isHopeless() ? "; no plan takes less than " + boundBytes : "";
    return "device %d: needs %d%s%s".formatted(device, neededBytes, verdict, hopeless);
  }
}
