package dev.cairn.runtime.engine;

import dev.cairn.kernels.device.ForeignWork;
import dev.cairn.runtime.engine.queue.BulkBuffer;
import dev.cairn.runtime.engine.queue.OperationBlock;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.queue.Wait;
import dev.cairn.runtime.engine.worker.Blocks;
import dev.cairn.runtime.engine.worker.PushCounter;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.SpinThenSleep;
import dev.cairn.runtime.engine.worker.WorkerGroup;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits of threads. A thread that waits without a time limit runs ready operations of the host's lone worker meanwhile:
 * to hand one over and to be woken costs more than a small operation takes. It runs only what must end before its wait
 * does, so the wait ends no later for that, and can't wait for itself:
 *
 * <ul>
 * <li>of a wait for all, every operation;
 * <li>of a wait for a variable, an operation that writes it;
 * <li>and, while all other operations go through the queue of this worker, whatever comes first there: the awaited
 * write is behind it.
 * </ul>
 *
 * <p>A thread that {@linkplain ForeignWork#refuse refuses foreign work} runs none. Thread-safe.
 */
final class HelpingWaits {
  private static final Logger LOG = LoggerFactory.getLogger(HelpingWaits.class);
  private static final Duration BEFORE_WARNING = Duration.ofSeconds(30);

  private final Routing routing;
  private final Blocks blocks;
  private final Bulks bulks;

  HelpingWaits(Routing routing, Blocks blocks, Bulks bulks) {
    this.routing = routing;
    this.blocks = blocks;
    this.bulks = bulks;
  }

  /** Returns true when all writes that were pushed have ended, false when the patience ends before. */
  boolean awaitWrites(Variable variable, SpinThenSleep patience) {
    if (!variable.hasWrite()) {
      return true;
    }
    var wait = new Wait(variable);
    if (wait.enqueue()) {
      blocks.leave(wait);
      return true;
    }
    if (patience.isEndless()) {
      help(wait::isOver, block -> blocks.areAllUsual() || block.operation().footprint().writes(variable));
    }
    if (wait.isOver()) {
      return true;
    }
    routing.hurry();
    return patience.until(wait::isOver);
  }

  /** Blocks until everything has ended. */
  void awaitQuiet(PushCounter progress, long spinNanos) {
    help(progress::isQuiet, _ -> true);
    if (!progress.isQuiet()) {
      routing.hurry();
    }
    while (!progress.awaitQuiet(SpinThenSleep.of(spinNanos, BEFORE_WARNING))) {
      LOG.warn("operations have not ended for long: pending={} startedAsync={}", progress.pending(), blocks
        .startedAsync());
    }
  }

  private void help(BooleanSupplier isOver, Predicate<OperationBlock> mustEnd) {
    WorkerGroup group = routing.host();
    if (group == null || ForeignWork.isRefused()) {
      return;
    }
    // No thread holds back what operations push.
    BulkBuffer buffer = bulks.suspend();
    var runner = new Runner();
    try {
      group.help(isOver, block -> block.operation().isUsual() && mustEnd.test(block), runner);
    } finally {
      runner.restoreInterrupt();
      if (buffer != null) {
        bulks.resume(buffer);
      }
    }
  }

  /** Runs blocks on a thread that waits. No interrupt of before reaches them; the thread has it again afterwards. */
  private final class Runner implements Consumer<OperationBlock> {
    private boolean interrupted;

    @Override
    public void accept(OperationBlock block) {
      interrupted |= Thread.interrupted();
      blocks.runHere(block);
    }

    void restoreInterrupt() {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
