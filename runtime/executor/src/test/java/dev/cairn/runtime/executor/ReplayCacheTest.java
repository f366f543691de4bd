package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.executor.replay.Recording;
import dev.cairn.runtime.executor.replay.ReplayCache;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayCacheTest {
  private final List<Integer> closed = new ArrayList<>();

  private Recording recording(int number) {
    return new Recording() {
      @Override
      public void launch() {}

      @Override
      public void close() {
        closed.add(number);
      }
    };
  }

  /** Equal to all others, which must not matter. */
  private record Run() {}

  @Test
  void theOneThatWasFoundLeastRecentlyGoes() {
    List<Run> runs = IntStream.range(0, 4).mapToObj(_ -> new Run()).toList();
    try (var cache = new ReplayCache(3)) {
      for (int i = 0; i < 3; i++) {
        cache.add(runs.get(i), recording(i));
      }
      assertThat(cache.find(runs.get(0))).isNotNull();
      cache.add(runs.get(3), recording(3));
      assertThat(closed).containsExactly(1);
      assertThat(cache.find(runs.get(1))).isNull();
      assertThat(cache.size()).isEqualTo(3);
      cache.add(runs.get(1), recording(1));
      assertThat(closed).containsExactly(1, 2);
    }
    assertThat(closed).containsExactlyInAnyOrder(1, 2, 0, 3, 1);
  }

  @Test
  void aRunIsRecordedOnceAtATime() {
    var run = new Run();
    try (var cache = new ReplayCache(1)) {
      cache.add(run, recording(1));
      assertThatThrownBy(() -> cache.add(run, recording(2))).isInstanceOf(IllegalStateException.class);
      assertThat(cache.find(new Run())).isNull();
    }
    assertThat(closed).containsExactly(1);
  }

  @Test
  void aCacheHoldsAtLeastOne() {
    assertThatThrownBy(() -> new ReplayCache(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
