package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossWatchTest {
  private static boolean warns(LossWatch watch, double loss) {
    return watch.warning(loss, "iteration=3", 0.1).isPresent();
  }

  @Test
  void aLossFarAboveTheFirstIsToldOnce() {
    var watch = new LossWatch();
    assertThat(warns(watch, 2.5)).isFalse();
    assertThat(warns(watch, 2500)).isFalse();
    assertThat(watch.warning(1e9, "iteration=3 epoch=1 batch=2", 0.1)).hasValueSatisfying(it -> assertThat(it).contains(
      "loss=1.00e+09 first=2.50 iteration=3 epoch=1 batch=2", "--rate 0.001"));
    assertThat(warns(watch, 1e12)).isFalse();
  }

  @Test
  void aLossThatBeginsNearZeroMayRise() {
    var watch = new LossWatch();
    assertThat(warns(watch, 1e-5)).isFalse();
    assertThat(warns(watch, 900)).isFalse();
    assertThat(warns(watch, 1001)).isTrue();
  }
}
