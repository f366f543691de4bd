package dev.cairn.runtime.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** W-3 and W-5: states of random numbers. */
class RandomStateTest {
  @Test
  void w3EachUseTakesOneDrawAndASavedStateGoesOn() {
    var state = new RandomState(7);
    assertThat(state.draw().toLongArray()).containsExactly(7, 0);
    assertThat(state.draw().toLongArray()).containsExactly(7, 1);
    RandomState again = RandomState.restored(state.save());
    assertThat(again.draw().toLongArray()).containsExactly(7, 2);
    assertThatThrownBy(() -> RandomState.restored(new long[1])).hasMessageContaining("numbers=1");
    state.seed(8);
    assertThat(state.draw().toLongArray()).containsExactly(8, 0);
  }

  @Test
  void w5ReplicasHaveSeedsOfTheirOwn() {
    List<RandomState> replicas = new RandomState(7).split(100);
    assertThat(replicas.stream().map(it -> it.save()[0])).doesNotHaveDuplicates().doesNotContain(7L);
    assertThat(new RandomState(7).split(100).get(99).save()).isEqualTo(replicas.get(99).save());
    var state = new RandomState(7);
    state.split(1);
    assertThat(state.split(1).get(0).save()[0]).isNotEqualTo(replicas.get(0).save()[0]);
  }
}
