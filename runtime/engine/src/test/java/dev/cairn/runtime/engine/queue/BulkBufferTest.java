package dev.cairn.runtime.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What one thread holds back. */
class BulkBufferTest {
  private final Variables variables = new Variables();
  private final Footprint writes = Footprint.writing(variables.make("x"));

  /** As when the heap had no room to hand them over. */
  @Test
  void whoIsFullAdmitsNobodyUntilAllIsTaken() {
    var buffer = new BulkBuffer(3, variables, null);
    for (int i = 0; i < 3; i++) {
      assertThat(buffer.admits(Operation.of("next", writes, () -> {}))).isTrue();
      assertThat(buffer.hold(Operation.of("held", writes, () -> {}))).isEqualTo(i == 2);
    }
    assertThat(buffer.admits(Operation.of("next", writes, () -> {}))).isFalse();
    assertThat(buffer.take()).isNotNull();
    assertThat(buffer.take()).isNull();
    assertThat(buffer.admits(Operation.of("next", writes, () -> {}))).isTrue();
  }

  @Test
  void manyRunInTheOrderHeldAndKeepTheirTraits() {
    var buffer = new BulkBuffer(1000, variables, null);
    List<Integer> ran = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 999; i++) {
        int number = i;
        assertThat(buffer.hold(Operation.of("held" + i, writes, () -> ran.add(number)).at("line " + i))).isFalse();
      }
      var body = (BulkBody) Objects.requireNonNull(buffer.take()).all().getFirst().work();
      for (int i = 0; i < 999; i++) {
        assertThat(body.operations().get(i).name()).isEqualTo("held" + i);
        assertThat(body.operations().get(i).site()).isEqualTo("line " + i);
      }
      body.operations().forEach(it -> it.work().run());
      assertThat(ran).hasSize(999).isSorted();
      ran.clear();
    }
  }

  @Test
  void aDeleteWaitsUntilAllIsHandedOverOrRefused() {
    var buffer = new BulkBuffer(10, variables, null);
    Variable x = writes.variable(0);
    var deleted = new ArrayList<Variable>();
    buffer.hold(Operation.of("held", writes, () -> {}));
    assertThat(x.delete()).isFalse();
    variables.deleteLater(x, () -> deleted.add(x));
    assertThat(deleted).isEmpty();
    buffer.endHolds(Objects.requireNonNull(buffer.take()).touched());
    assertThat(deleted).containsExactly(x);
    assertThatThrownBy(() -> buffer.hold(Operation.of("late", writes, () -> {}))).isInstanceOf(
      IllegalStateException.class).hasMessageContaining("a deleted variable");
  }

  /** A push that is refused holds nothing, also where it is the first. */
  @Test
  void aRefusedPushHoldsNothing() {
    var buffer = new BulkBuffer(10, variables, null);
    Variable gone = variables.make("gone");
    Variable stays = variables.make("stays");
    assertThat(gone.delete()).isTrue();
    assertThatThrownBy(() -> buffer.hold(Operation.of("late", Footprint.of(List.of(gone), List.of(stays)), () -> {})))
      .hasMessageContaining("a deleted variable").hasMessageContaining("late");
    assertThat(buffer.take()).isNull();
    assertThat(stays.delete()).isTrue();
  }

  @Test
  void oneAloneIsItself() {
    var buffer = new BulkBuffer(10, variables, null);
    Operation held = Operation.of("alone", writes, () -> {}).overwriting();
    buffer.hold(held);
    Operation alone = Objects.requireNonNull(buffer.take()).all().getFirst();
    assertThat(alone).isSameAs(held);
  }
}
