package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What one thread holds back. */
class BulkBufferTest {
  private final Variables variables = new Variables();
  private final OperationRunner runner = new OperationRunner(new Failures());
  private final Footprint writes = Footprint.writing(variables.make("x"));

  /** As when the heap had no room to hand them over. */
  @Test
  void whoIsFullAdmitsNobodyUntilAllIsTaken() {
    var buffer = new BulkBuffer(3, variables, runner);
    for (int i = 0; i < 3; i++) {
      assertThat(buffer.admits(Traits.DEFAULT)).isTrue();
      assertThat(buffer.hold("held", writes, () -> {}, Traits.DEFAULT)).isEqualTo(i == 2);
    }
    assertThat(buffer.admits(Traits.DEFAULT)).isFalse();
    assertThat(buffer.take()).isNotNull();
    assertThat(buffer.take()).isNull();
    assertThat(buffer.admits(Traits.DEFAULT)).isTrue();
  }

  @Test
  void manyRunInTheOrderHeldAndKeepTheirTraits() {
    var buffer = new BulkBuffer(1000, variables, runner);
    List<Integer> ran = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 999; i++) {
        int number = i;
        assertThat(buffer.hold("held" + i, writes, () -> ran.add(number), Traits.DEFAULT.at("line " + i))).isFalse();
      }
      var body = (BulkBody) Objects.requireNonNull(buffer.take()).all().work();
      for (int i = 0; i < 999; i++) {
        assertThat(body.operation(i).name()).isEqualTo("held" + i);
        assertThat(body.operation(i).site()).isEqualTo("line " + i);
      }
      body.run();
      assertThat(ran).hasSize(999).isSorted();
      ran.clear();
    }
  }

  @Test
  void aDeleteWaitsUntilAllIsHandedOverOrRefused() {
    var buffer = new BulkBuffer(10, variables, runner);
    Variable x = writes.variable(0);
    var deleted = new ArrayList<Variable>();
    buffer.hold("held", writes, () -> {}, Traits.DEFAULT);
    assertThat(x.delete()).isFalse();
    variables.deleteLater(x, () -> deleted.add(x));
    assertThat(deleted).isEmpty();
    buffer.endHolds(Objects.requireNonNull(buffer.take()).touched());
    assertThat(deleted).containsExactly(x);
    assertThatThrownBy(() -> buffer.hold("late", writes, () -> {}, Traits.DEFAULT)).isInstanceOf(
      IllegalStateException.class).hasMessageContaining("a deleted variable");
  }

  /** A push that is refused holds nothing, also where it is the first. */
  @Test
  void aRefusedPushHoldsNothing() {
    var buffer = new BulkBuffer(10, variables, runner);
    Variable gone = variables.make("gone");
    Variable stays = variables.make("stays");
    assertThat(gone.delete()).isTrue();
    assertThatThrownBy(() -> buffer.hold("late", Footprint.of(List.of(gone), List.of(stays)), () -> {},
      Traits.DEFAULT)).hasMessageContaining("a deleted variable").hasMessageContaining("late");
    assertThat(buffer.take()).isNull();
    assertThat(stays.delete()).isTrue();
  }

  @Test
  void oneAloneIsItself() {
    var buffer = new BulkBuffer(10, variables, runner);
    Traits overwriting = Traits.DEFAULT.overwriting();
    buffer.hold("alone", writes, () -> {}, overwriting);
    Operation alone = Objects.requireNonNull(buffer.take()).all();
    assertThat(alone.name()).isEqualTo("alone");
    assertThat(alone.traits()).isSameAs(overwriting);
    assertThat(alone.footprint()).isSameAs(writes);
  }
}
