package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.ndarray.call.PushWaits;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import dev.cairn.testing.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A-8 memory and pending operations, A-9 failures: silent until read, then each time, until overwritten. */
class ArrayFailureTest extends ArrayContract {
  private static final long LIMIT = 1 << 20;

  @Override
  protected ArrayOptions options() {
    return super.options().withMemory(ArrayMemory.DEFAULT.withLimitBytes(LIMIT)).withMaxPending(16);
  }

  /** The engine that runs everything in the call throws there; the others give an array that fails. */
  private NDArray failing() {
    return floats(1, 2).take(arrays.of(new long[] {5}, 1), 0);
  }

  @Test
  void aFailureShowsWhereTheValueIsAskedFor() {
    if (isNaive()) {
      assertThatThrownBy(this::failing).isInstanceOf(OperationFailed.class).hasMessageContaining("Gather");
      return;
    }
    NDArray failed = failing();
    NDArray after = failed.add(1).mul(2);
    for (int i = 0; i < 2; i++) {
      assertThat(catchThrowableOfType(OperationFailed.class, after::toFloatArray).operation()).isEqualTo("Gather");
      assertThatThrownBy(failed::waitToRead).isInstanceOf(OperationFailed.class);
    }
    assertThatThrownBy(failed::waitToWrite).isInstanceOf(OperationFailed.class);
    assertThatThrownBy(() -> failed.read(_ -> 0)).isInstanceOf(OperationFailed.class);
    assertThat(failed.toString()).startsWith("float32[1] cpu failed: ").doesNotContain("\n");
    assertThat(floats(3).add(1).item()).isEqualTo(4);
  }

  @Test
  void waitAllThrowsEachFailureOnce() {
    if (isNaive()) {
      return;
    }
    failing();
    assertThatThrownBy(arrays::waitAll).isInstanceOf(OperationFailed.class);
    arrays.waitAll();
    failing();
    assertThatThrownBy(arrays::waitAll).isInstanceOf(OperationFailed.class);
  }

  @Test
  void overwritingEndsAFailureAndAddingDoesNot() {
    if (isNaive()) {
      return;
    }
    NDArray x = floats(1);
    x.copyFrom(failing());
    assertThatThrownBy(x::item).isInstanceOf(OperationFailed.class);
    x.addi(1);
    assertThatThrownBy(x::item).isInstanceOf(OperationFailed.class);
    x.fill(3);
    assertThat(x.item()).isEqualTo(3);
    NDArray table = floats(1, 2);
    table.copyFrom(failing().broadcastTo(2));
    table.rows(0, 1).fill(7);
    assertThatThrownBy(table::toFloatArray).isInstanceOf(OperationFailed.class);
    table.set(9);
    assertThat(table.toFloatArray()).containsExactly(9, 9);
    arrays.waitAll();
  }

  @Test
  void aWriterThatThrowsLeavesNoValue() {
    NDArray x = floats(1);
    assertThatThrownBy(() -> x.write(_ -> {
      throw new IllegalStateException("planted");
    })).isInstanceOf(IllegalStateException.class).hasMessage("planted");
    assertThatThrownBy(x::item).isInstanceOf(OperationFailed.class);
    x.fill(2);
    assertThat(x.item()).isEqualTo(2);
    assertThatThrownBy(() -> x.read(_ -> {
      throw new IllegalStateException("planted");
    })).hasMessage("planted");
    assertThat(x.item()).isEqualTo(2);
  }

  @Test
  void outOfMemoryNamesTheArrayAndChangesNothingElse() {
    NDArray x = floats(1);
    if (isNaive()) {
      assertThatThrownBy(() -> x.broadcastTo(LIMIT)).isInstanceOf(OperationFailed.class);
    } else {
      NDArray large = x.broadcastTo(LIMIT);
      var failure = catchThrowableOfType(OperationFailed.class, large::toFloatArray);
      assertThat(failure.getCause()).isInstanceOfSatisfying(OutOfMemory.class, it -> {
        assertThat(it.owner().operator()).isEqualTo("Expand");
        assertThat(it.owner().shape()).isEqualTo("float32[1048576]");
        assertThat(it.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
      });
    }
    assertThatThrownBy(() -> arrays.of(new float[(int) LIMIT], LIMIT)).isInstanceOf(OutOfMemory.class);
    assertThat(x.add(1).item()).isEqualTo(2);
  }

  /** Issue 22, item 3: which arrays hold what, with shape, operator and line; and the limit is the reason. */
  @Test
  void outOfMemoryNamesTheArraysThatHoldMemory() {
    var memory = ArrayMemory.DEFAULT.withKind(ArrayMemory.Kind.UNPOOLED).withLimitBytes(LIMIT);
    var sites = options().engine().withCaptureSites(true);
    try (var own = ArrayRuntime.open(options().withEngine(sites).withMemory(memory)); var _ = own.scope()) {
      own.of(new float[16], 16).neg().waitToRead();
      NDArray large = own.zeros(DType.FLOAT32, LIMIT / 8);
      large.waitToRead();
      // Fits into the manager's limit, and not into what the pool behind it has left.
      var refusal = catchThrowableOfType(OutOfMemory.class, () -> own.of(new float[(int) LIMIT / 8 - 100], LIMIT / 8
        - 100));
      assertThat(refusal.reason()).isNotEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
      assertThat(refusal).hasMessageContaining("3 arrays hold 524416 bytes, the largest: 524288 bytes of Expand float32"
        + "[131072] at dev.cairn.runtime.ndarray.ArrayFailureTest.outOfMemoryNamesTheArraysThatHoldMemory(")
        .hasMessageContaining("64 bytes of Neg float32[16] at ").hasMessageNotContaining("is exhausted");
    }
  }

  /** A closed array keeps its memory for calls that another thread holds back, and a refusal says what helps. */
  @Test
  void outOfMemoryNamesClosedArraysThatABulkReads() throws Exception {
    if (isNaive()) {
      return;
    }
    var memory = ArrayMemory.DEFAULT.withKind(ArrayMemory.Kind.UNPOOLED).withLimitBytes(LIMIT);
    try (var own = ArrayRuntime.open(options().withMemory(memory)); var _ = own.scope()) {
      own.zeros(DType.FLOAT32, 1).waitToRead();
      NDArray x = own.zeros(DType.FLOAT32, LIMIT / 8);
      x.waitToRead();
      var held = new CountDownLatch(1);
      var goOn = new CountDownLatch(1);
      var bulk = CompletableFuture.runAsync(() -> {
        try (var _ = own.bulk(8); var _ = x.sum()) {
          held.countDown();
          goOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }, command -> Thread.ofPlatform().start(command));
      held.await();
      x.close();
      NDArray refused = own.zeros(DType.FLOAT32, LIMIT / 8);
      var failure = catchThrowableOfType(OperationFailed.class, refused::waitToRead);
      assertThat(failure.getCause()).hasMessageContaining("; 1 closed arrays hold theirs until their last calls have "
        + "run: end the bulks that hold calls back");
      goOn.countDown();
      bulk.get();
      assertThat(own.zeros(DType.FLOAT32, LIMIT / 8).sum().item()).as("the remedy works").isEqualTo(0);
    }
  }

  /** If the call counted as a write, a tape would take the array for overwritten. */
  @Test
  void aCallThatFailsBeforeItsPushIsNoWrite() throws Exception {
    if (isNaive()) {
      return;
    }
    NDArray x = arrays.zeros(DType.FLOAT32, 1);
    var reading = new Gate();
    var reader = CompletableFuture.runAsync(() -> x.read(_ -> {
      reading.pass();
      return 0;
    }), command -> Thread.ofPlatform().start(command));
    reading.awaitArrival();
    int before = x.range().storage().writes();
    PushWaits.before(arrays.invoker(), () -> {
      throw new IllegalArgumentException("planted");
    });
    int pushed = 0;
    Throwable thrown = null;
    while (thrown == null) {
      thrown = catchThrowable(() -> x.addi(1));
      pushed += thrown == null ? 1 : 0;
    }
    int after = x.range().storage().writes();
    reading.open();
    reader.get();
    assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasMessage("planted");
    assertThat(after).isEqualTo(before + pushed);
    assertThat(x.item()).isEqualTo(pushed);
  }

  @Test
  void memoryIsTakenWhenTheOperationBeginsAndThePusherWaits() throws Exception {
    if (isNaive()) {
      return;
    }
    NDArray x = arrays.zeros(DType.FLOAT32, 1);
    var reading = new Gate();
    var reader = CompletableFuture.runAsync(() -> x.read(_ -> {
      reading.pass();
      return 0;
    }), command -> Thread.ofPlatform().start(command));
    reading.awaitArrival();
    x.addi(1);
    long before = arrays.stats().memory().allocationCount();
    var waiting = new Gate();
    PushWaits.before(arrays.invoker(), waiting::pass);
    var pushed = new AtomicInteger();
    var pusher = CompletableFuture.runAsync(() -> {
      try (var _ = arrays.scope()) {
        for (int i = 0; i < 200; i++) {
          x.add(1);
          pushed.incrementAndGet();
        }
      }
    }, command -> Thread.ofPlatform().start(command));
    waiting.awaitArrival();
    try {
      // When the wait began, an operation that had just ended may have been counted.
      assertThat(arrays.stats().pending()).isGreaterThanOrEqualTo(15);
      assertThat(pushed.get()).as("it waits soon after the limit").isBetween(10, 20);
      assertThat(arrays.stats().memory().allocationCount()).isEqualTo(before);
      assertThat(pusher).isNotDone();
    } finally {
      waiting.open();
      reading.open();
    }
    pusher.get();
    reader.get();
    assertThat(x.item()).isEqualTo(1);
  }
}
