package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.ReadyQueue;
import dev.cairn.runtime.engine.worker.BlockTaker;
import dev.cairn.runtime.engine.worker.IdlePolicy;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.Worker;
import dev.cairn.runtime.engine.worker.WorkerGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The groups of threads that the options ask for; each is made when there is work for it. For each device and kind of
 * work: normal work of a processor group in the order pushed, prioritised work of all processor groups by priority; for
 * each graphics processor normal work in order, copies and prioritised work by priority. Or one pool for all devices,
 * and one thread for copies, where priorities do not matter.
 */
final class DeviceRouting implements Routing {
  /** How many groups a graphics processor has. */
  private static final int PER_GPU = 3;

  private final boolean isPooled;
  private final int cpus;
  private final long spinNanos;
  private final List<Group> kinds = new ArrayList<>();
  private final AtomicReferenceArray<@Nullable WorkerGroup> groups;

  private record Group(String name, int threads, boolean byPriority) {}

  DeviceRouting(EngineOptions options) {
    EngineOptions.Threads threads = options.threads();
    this.isPooled = options.kind() == EngineOptions.Kind.POOLED;
    this.cpus = options.cpus();
    this.spinNanos = options.spinNanos();
    if (isPooled) {
      kinds.add(new Group("cairn-pool", threads.pooled(), false));
      kinds.add(new Group("cairn-copy", 1, false));
    } else {
      for (int i = 0; i < cpus; i++) {
        kinds.add(new Group("cairn-cpu" + i, threads.perCpu(), false));
      }
      kinds.add(new Group("cairn-cpu-prioritized", threads.cpuPrioritized(), true));
      for (int i = 0; i < options.gpus(); i++) {
        kinds.add(new Group("cairn-gpu" + i, threads.perGpu(), false));
        kinds.add(new Group("cairn-gpu" + i + "-copy", threads.perGpuCopies(), true));
        kinds.add(new Group("cairn-gpu" + i + "-prioritized", threads.perGpu(), true));
      }
    }
    this.groups = new AtomicReferenceArray<>(kinds.size());
  }

  @Override
  public boolean runsOnPusher(FunctionProperty property) {
    return property == FunctionProperty.ASYNC || (property == FunctionProperty.DELETE && !isPooled);
  }

  @Override
  public WorkerGroup group(Operation operation, BlockTaker taker) {
    int index = index(operation);
    WorkerGroup there = groups.get(index);
    return there == null ? make(index, taker) : there;
  }

  private int index(Operation operation) {
    FunctionProperty property = operation.property();
    boolean isCopy = property == FunctionProperty.COPY_FROM_GPU || property == FunctionProperty.COPY_TO_GPU;
    if (isPooled) {
      return isCopy ? 1 : 0;
    }
    ExecutionPlace place = operation.place();
    if (place.kind() == ExecutionPlace.Kind.CPU) {
      return property == FunctionProperty.CPU_PRIORITIZED ? cpus : place.index();
    }
    int first = cpus + 1 + PER_GPU * place.index();
    return isCopy ? first + 1 : property == FunctionProperty.GPU_PRIORITIZED ? first + 2 : first;
  }

  private synchronized WorkerGroup make(int index, BlockTaker taker) {
    WorkerGroup there = groups.get(index);
    if (there == null) {
      Group group = kinds.get(index);
      ReadyQueue queue = group.byPriority ? ReadyQueue.byPriority() : ReadyQueue.inOrder(group.threads == 1);
      there = new WorkerGroup(group.name, group.threads, queue, taker, IdlePolicy.spinning(spinNanos), Worker::start);
      groups.set(index, there);
    }
    return there;
  }

  @Override
  public @Nullable WorkerGroup host() {
    return groups.get(0);
  }

  @Override
  public void hurry() {
    for (int i = 0; i < groups.length(); i++) {
      WorkerGroup group = groups.get(i);
      if (group != null) {
        group.hurry();
      }
    }
  }

  @Override
  public synchronized void stop() {
    for (int i = 0; i < groups.length(); i++) {
      WorkerGroup group = groups.getAndSet(i, null);
      if (group != null) {
        group.stop();
      }
    }
  }
}
