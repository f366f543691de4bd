package dev.cairn.runtime.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Threads for each device and kind of work: normal work of a processor group in the order pushed, prioritised
 * work of all processor groups by priority; for each graphics processor normal work in order, copies and prioritised
 * work by priority, each with their own threads.
 */
final class PerDeviceRouting implements Routing {
  private final List<LazyGroup> cpus = new ArrayList<>();
  private final LazyGroup cpuPrioritized;
  private final List<LazyGroup> gpus = new ArrayList<>();
  private final List<LazyGroup> gpuCopies = new ArrayList<>();
  private final List<LazyGroup> gpuPrioritized = new ArrayList<>();
  private final List<LazyGroup> all = new ArrayList<>();

  PerDeviceRouting(EngineOptions options) {
    EngineOptions.Threads threads = options.threads();
    long spin = options.spinNanos();
    for (int i = 0; i < options.cpus(); i++) {
      cpus.add(LazyGroup.inOrder("cairn-cpu" + i, threads.perCpu(), spin));
    }
    cpuPrioritized = LazyGroup.byPriority("cairn-cpu-prioritized", threads.cpuPrioritized(), spin);
    for (int i = 0; i < options.gpus(); i++) {
      gpus.add(LazyGroup.inOrder("cairn-gpu" + i, threads.perGpu(), spin));
      gpuCopies.add(LazyGroup.byPriority("cairn-gpu" + i + "-copy", threads.perGpuCopies(), spin));
      gpuPrioritized.add(LazyGroup.byPriority("cairn-gpu" + i + "-prioritized", threads.perGpu(), spin));
    }
    all.addAll(cpus);
    all.add(cpuPrioritized);
    all.addAll(gpus);
    all.addAll(gpuCopies);
    all.addAll(gpuPrioritized);
  }

  @Override
  public boolean runsOnPusher(FunctionProperty property) {
    return property == FunctionProperty.ASYNC || property == FunctionProperty.DELETE;
  }

  @Override
  public WorkerGroup group(Operation operation, BlockRunner runner) {
    ExecutionPlace place = operation.place();
    LazyGroup group = place.kind() == ExecutionPlace.Kind.CPU
      ? onCpu(operation, place.index())
      : onGpu(operation, place.index());
    return group.get(runner);
  }

  private LazyGroup onCpu(Operation operation, int index) {
    return operation.property() == FunctionProperty.CPU_PRIORITIZED ? cpuPrioritized : cpus.get(index);
  }

  private LazyGroup onGpu(Operation operation, int index) {
    return switch (operation.property()) {
      case COPY_FROM_GPU, COPY_TO_GPU -> gpuCopies.get(index);
      case GPU_PRIORITIZED -> gpuPrioritized.get(index);
      default -> gpus.get(index);
    };
  }

  @Override
  public @Nullable WorkerGroup host() {
    return cpus.get(0).made();
  }

  @Override
  public void hurry() {
    all.forEach(LazyGroup::hurry);
  }

  @Override
  public void stop() {
    all.forEach(LazyGroup::stop);
  }
}
