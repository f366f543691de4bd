package dev.cairn.runtime.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What an owner holds is given back once, whether the owner is closed, refused, failed or forgotten. */
class OwnershipTest {
  private static TensorMemory memory(Runnable release) {
    return TensorMemory.owned(LocatedView.onHost(TensorView.ofLong(7)), release);
  }

  @Test
  void onlyARefusedReleaseMayBeTriedAgain() {
    var refuses = new AtomicBoolean(true);
    var refused = new Ownership(new Object(), "one", () -> {
      if (refuses.get()) {
        throw new Ownership.Refused("in use");
      }
    });
    assertThatThrownBy(refused::close).hasMessage("in use");
    assertThat(refused.isClosed()).isFalse();
    refuses.set(false);
    refused.close();
    assertThatThrownBy(refused::close).hasMessageContaining("closed twice");
    var runs = new AtomicInteger();
    var failing = new Ownership(new Object(), "two", () -> {
      runs.incrementAndGet();
      throw new IllegalStateException("blocks are still in use");
    });
    assertThatThrownBy(failing::close).hasMessage("blocks are still in use");
    assertThat(failing.isClosed()).as("half of it may be gone").isTrue();
    assertThatThrownBy(failing::requireOpen).hasMessageContaining("already closed");
    assertThatThrownBy(failing::close).hasMessageContaining("closed twice");
    assertThat(runs).hasValue(1);
  }

  @Test
  void theLastUseGivesAbandonedMemoryBack() {
    var released = new AtomicInteger();
    TensorMemory idle = memory(released::incrementAndGet);
    idle.abandon();
    assertThat(released).hasValue(1);
    TensorMemory lent = memory(released::incrementAndGet);
    lent.beginUseOnHost();
    lent.beginUseOnHost();
    lent.abandon();
    lent.endUse();
    assertThat(released).hasValue(1);
    lent.endUse();
    assertThat(released).hasValue(2);
    assertThatThrownBy(lent::beginUseOnHost).hasMessageContaining("closed");
  }

  /** A tensor of a result was lent, and the result is forgotten: the memory goes back when the borrower is done. */
  @Test
  void aForgottenResultWhoseMemoryIsLent() {
    var released = new AtomicInteger();
    TensorMemory lent = memory(released::incrementAndGet);
    TensorMemory other = memory(released::incrementAndGet);
    lent.beginUseOnHost();
    forget(lent, other);
    while (released.get() == 0) {
      System.gc();
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(released).as("the one that is not lent").hasValue(1);
    lent.endUse();
    assertThat(released).hasValue(2);
  }

  private static void forget(TensorMemory lent, TensorMemory other) {
    assertThat(new Result(Map.of("lent", lent.tensor(), "other", other.tensor())).names()).hasSize(2);
  }

  /** One that cannot be given back must not keep the others. */
  @Test
  void allAreGivenBackWhicheverFails() {
    var released = new AtomicInteger();
    TensorMemory failing = memory(() -> {
      throw new IllegalStateException("odd");
    });
    TensorMemory fine = memory(released::incrementAndGet);
    assertThatThrownBy(() -> TensorMemory.closeAll(List.of(failing, fine))).hasMessage("odd");
    assertThat(released).hasValue(1);
  }
}
