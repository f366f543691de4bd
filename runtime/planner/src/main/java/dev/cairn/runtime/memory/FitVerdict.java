package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Whether a plan fits the devices' memory, how many bytes are missing, and the remedies. A value. Text form: one line
 * for each device; if the plan does not fit, also its largest buffers and the remedies.
 *
 * @param devices all devices in the plan or the limits, ascending
 * @param remedies the easiest first; empty if the plan fits
 */
public record FitVerdict(List<DeviceFit> devices, List<PlanRemedy> remedies) {
  private static final int BUFFERS_IN_TEXT = 8;

  public FitVerdict {
    devices = List.copyOf(devices);
    remedies = List.copyOf(remedies);
  }

  /**
   * The verdict on a valid plan.
   *
   * @param others other valid plans of the same problem; the smallest that fits becomes a remedy
   */
  public static FitVerdict of(MemoryProblem problem, MemoryPlan plan, MemoryLimits limits, List<MemoryPlan> others) {
    List<DeviceFit> devices = devices(problem, plan, limits);
    if (fit(devices)) {
      return new FitVerdict(devices, List.of());
    }
    List<PlanRemedy> remedies = new ArrayList<>();
    others.stream().filter(other -> fit(devices(problem, other, limits)))
      .min((a, b) -> Long.compare(a.peakBytes(), b.peakBytes()))
      .ifPresent(it -> remedies.add(new PlanRemedy.OtherPlan(it.planner(), neededBytes(devices(problem, it, limits)))));
    if (remedies.isEmpty()) {
      betterPlan(devices).ifPresent(remedies::add);
    }
    devices.stream().filter(device -> !device.fits())
      .forEach(it -> remedies.add(new PlanRemedy.HigherLimit(it.device(), it.neededBytes())));
    return new FitVerdict(devices, remedies);
  }

  /** The verdict without other plans. */
  public static FitVerdict of(MemoryProblem problem, MemoryPlan plan, MemoryLimits limits) {
    return of(problem, plan, limits, List.of());
  }

  private static List<DeviceFit> devices(MemoryProblem problem, MemoryPlan plan, MemoryLimits limits) {
    SortedMap<Integer, LowerBound> bounds = LowerBound.byDevice(problem);
    SortedSet<Integer> devices = new TreeSet<>(bounds.keySet());
    devices.addAll(limits.bytesByDevice().keySet());
    devices.addAll(limits.takenByDevice().keySet());
    plan.pools().forEach(pool -> devices.add(pool.device()));
    return devices.stream()
      .map(device -> DeviceFit.of(device, problem, plan, limits, bounds.getOrDefault(device, new LowerBound(0, 0))))
      .toList();
  }

  private static Optional<PlanRemedy> betterPlan(List<DeviceFit> devices) {
    return devices.stream().anyMatch(DeviceFit::isHopeless)
      ? Optional.empty()
      : Optional.of(new PlanRemedy.BetterPlan(devices.stream().mapToLong(DeviceFit::boundBytes).sum()));
  }

  private static long neededBytes(List<DeviceFit> devices) {
    return devices.stream().mapToLong(DeviceFit::neededBytes).sum();
  }

  private static boolean fit(List<DeviceFit> devices) {
    return devices.stream().allMatch(DeviceFit::fits);
  }

  public boolean fits() {
    return fit(devices);
  }

  /** How many bytes are missing on all devices together. */
  public long shortBytes() {
    return devices.stream().mapToLong(DeviceFit::shortBytes).sum();
  }

  /** This verdict with a tested remedy, placed before remedies that need more memory. */
  public FitVerdict with(PlanRemedy remedy) {
    List<PlanRemedy> more = new ArrayList<>(remedies);
    int at = 0;
    while (at < more.size() && !(more.get(at) instanceof PlanRemedy.HigherLimit)) {
      at++;
    }
    more.add(at, remedy);
    return new FitVerdict(devices, more);
  }

  /**
   * This verdict with a higher lower bound for a device, as a search has proved. It may show that no better plan
   * exists.
   */
  public FitVerdict withBound(int device, long boundBytes) {
    List<DeviceFit> raised = devices.stream().map(it -> it.device() == device ? it.withBound(boundBytes) : it).toList();
    List<PlanRemedy> left = new ArrayList<>();
    for (PlanRemedy remedy : remedies) {
      Optional<PlanRemedy> same = Optional.of(remedy);
      (remedy instanceof PlanRemedy.BetterPlan ? betterPlan(raised) : same).ifPresent(left::add);
    }
    return new FitVerdict(raised, left);
  }

  /**
   * This verdict where plans of another kind, such as those that run steps again, may take less than the bound of this
   * problem. The remedies stay.
   *
   * @param leastBytes no plan of either kind takes less
   */
  public FitVerdict withLeast(int device, long leastBytes) {
    return new FitVerdict(devices.stream().map(it -> it.device() == device ? it.withLeast(leastBytes) : it).toList(),
      remedies);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (DeviceFit device : devices) {
      text.append(text.isEmpty() ? "" : "\n").append(device);
      if (!device.fits()) {
        addBuffers(text, device);
      }
    }
    remedies.forEach(remedy -> text.append("\nto fit: ").append(remedy));
    return text.toString();
  }

  private static void addBuffers(StringBuilder text, DeviceFit device) {
    List<Buffer> buffers = device.atPeak();
    text.append("\n  held at step ").append(device.peakStep()).append(':');
    for (Buffer buffer : buffers.subList(0, Math.min(BUFFERS_IN_TEXT, buffers.size()))) {
      text.append("\n    ").append(buffer.reservedBytes()).append(' ').append(buffer.name());
    }
    List<Buffer> rest = buffers.subList(Math.min(BUFFERS_IN_TEXT, buffers.size()), buffers.size());
    if (!rest.isEmpty()) {
      text.append("\n    ").append(rest.stream().mapToLong(Buffer::reservedBytes).sum()).append(" in ")
        .append(rest.size())
        .append(" more");
    }
  }
}
