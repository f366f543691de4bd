package dev.cairn.runtime.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.failure.Failures;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.queue.Variables;
import dev.cairn.runtime.engine.stream.DeviceStreams;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A block ends, whatever fails on the way; without an engine. */
class BlocksTest {
  private final PushCounter progress = new PushCounter();
  private final OperationRunner runner = new OperationRunner(new Failures());
  private final Variable x = new Variables().make("x");

  /** All operations run on the thread that pushes them. */
  private static final class NoThreads implements Routing {
    @Override
    public boolean runsOnPusher(FunctionProperty property) {
      return true;
    }

    @Override
    public WorkerGroup group(Operation operation, BlockTaker taker) {
      throw new AssertionError("not asked for");
    }

    @Override
    public @Nullable WorkerGroup host() {
      return null;
    }

    @Override
    public void hurry() {}

    @Override
    public void stop() {}
  }

  /** Has no room for anything. */
  private static final class FullSet extends HashSet<AsyncBlock> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean add(AsyncBlock block) {
      throw new OutOfMemoryError("planted: no room in a set");
    }
  }

  @Test
  void asynchronousWorkThatCannotBeWrittenDownFails() {
    var started = new AtomicInteger();
    var blocks = new Blocks(new NoThreads(), new Lifecycle(), runner, new DeviceStreams(List.of()),
      new OperationDepth(), progress, 0, new FullSet());
    blocks.push(Operation.async("async", Footprint.writing(x), _ -> started.incrementAndGet()));
    assertThat(started).hasValue(0);
    assertThat(x.poison()).isNotNull();
    assertThat(x.hasWrite()).isFalse();
    assertThat(x.version()).isEqualTo(1);
    assertThat(progress.isQuiet()).isTrue();
    assertThat(blocks.areAllUsual()).isTrue();
  }
}
