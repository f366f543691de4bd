package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.ReadyQueue;
import dev.cairn.runtime.engine.worker.BlockTaker;
import dev.cairn.runtime.engine.worker.IdlePolicy;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.Worker;
import dev.cairn.runtime.engine.worker.WorkerGroup;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread for normal work, and one for prioritised work of all places. */
final class LoneWorkers implements Routing {
  private final IdlePolicy idling;
  private final Consumer<Worker> normalStarter;
  private final @Nullable WorkerGroup[] groups = new WorkerGroup[2];
  private volatile Runnable onHurry = () -> {};

  LoneWorkers(IdlePolicy idling) {
    this(idling, Worker::start);
  }

  /** @param normalStarter starts the thread for normal work, at once or later */
  LoneWorkers(IdlePolicy idling, Consumer<Worker> normalStarter) {
    this.idling = idling;
    this.normalStarter = normalStarter;
  }

  /** Called by a waiting thread when it runs no more operations itself and its awaited operation has not ended. */
  void onHurry(Runnable action) {
    onHurry = action;
  }

  @Override
  public boolean runsOnPusher(FunctionProperty property) {
    return property == FunctionProperty.ASYNC;
  }

  @Override
  public synchronized WorkerGroup group(Operation operation, BlockTaker taker) {
    int index = operation.property() == FunctionProperty.CPU_PRIORITIZED ? 1 : 0;
    WorkerGroup group = groups[index];
    if (group == null) {
      group = new WorkerGroup("test" + index, 1, ReadyQueue.inOrder(true), taker, idling, index == 0
        ? normalStarter
        : Worker::start);
      groups[index] = group;
    }
    return group;
  }

  @Override
  public synchronized @Nullable WorkerGroup host() {
    return groups[0];
  }

  @Override
  public void hurry() {
    onHurry.run();
    synchronized (this) {
      for (WorkerGroup group : groups) {
        if (group != null) {
          group.hurry();
        }
      }
    }
  }

  @Override
  public synchronized void stop() {
    for (int i = 0; i < groups.length; i++) {
      WorkerGroup group = groups[i];
      if (group != null) {
        group.stop();
        groups[i] = null;
      }
    }
  }
}
