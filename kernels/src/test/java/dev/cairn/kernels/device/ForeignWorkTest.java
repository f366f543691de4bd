package dev.cairn.kernels.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A thread refuses foreign work until each reason has ended; others, and other programs on it, do not. */
class ForeignWorkTest {
  @Test
  void aThreadRefusesUntilEachReasonHasEnded() {
    ForeignWork.refuse();
    ForeignWork.refuse();
    ForeignWork.accept();
    assertThat(ForeignWork.isRefused()).isTrue();
    assertThat(CompletableFuture.supplyAsync(ForeignWork::isRefused).join()).as("another thread").isFalse();
    ProgramLocal.without(() -> assertThat(ForeignWork.isRefused()).as("another program").isFalse());
    ForeignWork.accept();
    assertThat(ForeignWork.isRefused()).isFalse();
    assertThatThrownBy(ForeignWork::accept).isInstanceOf(IllegalStateException.class);
  }
}
