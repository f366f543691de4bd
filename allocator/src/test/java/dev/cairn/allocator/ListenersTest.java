package dev.cairn.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {
  private final List<String> heard = new ArrayList<>();

  /** Notes what it hears, and throws at what is named in {@code objections}. */
  private final class Noting implements AllocationListener {
    private final String name;
    private final List<String> objections;

    Noting(String name, String... objections) {
      this.name = name;
      this.objections = List.of(objections);
    }

    private void note(String what) {
      heard.add(name + " " + what);
      if (objections.contains(what)) {
        throw new IllegalStateException(name + " objects");
      }
    }

    @Override
    public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
      note("granted");
    }

    @Override
    public void freed(long allocationId, long address, long bytes) {
      note("freed");
    }

    @Override
    public void regionAdded(long address, long bytes) {
      note("added");
    }

    @Override
    public void regionReleased(long address, long bytes) {
      note("released");
    }

    @Override
    public void refused(OutOfMemory refusal) {
      note("refused");
    }
  }

  private static BfcAllocator allocator(AllocationListener listener) {
    return new BfcAllocator(FakeSubAllocator.scattered(1L << 30), BfcOptions.DEFAULT.withLimitBytes(1L << 22),
      listener);
  }

  @Test
  void silenceAddsNothing() {
    AllocationListener one = new Noting("a");
    assertThat(Listeners.of()).isSameAs(AllocationListener.silent());
    assertThat(Listeners.of(AllocationListener.silent(), AllocationListener.silent())).isSameAs(AllocationListener
      .silent());
    assertThat(Listeners.of(AllocationListener.silent(), one)).isSameAs(one);
  }

  @Test
  void allHearEverythingInOrder() {
    try (BfcAllocator allocator = allocator(Listeners.of(new Noting("a"), new Noting("b"), new Noting("c")))) {
      allocator.release(allocator.grant(1));
      assertThatThrownBy(() -> allocator.grant(1L << 40)).isInstanceOf(OutOfMemory.class);
      allocator.trim();
    }
    List<String> expected = new ArrayList<>();
    for (String what : List.of("added", "granted", "freed", "refused", "released")) {
      for (String name : List.of("a", "b", "c")) {
        expected.add(name + " " + what);
      }
    }
    assertThat(heard).isEqualTo(expected);
  }

  @Test
  void anObjectionToAGrantIsTakenBackFromThoseWhoHeardOfIt() {
    try (BfcAllocator allocator = allocator(Listeners.of(new Noting("a", "freed"), new Noting("b"),
      new Noting("c", "granted"), new Noting("d")))) {
      assertThatThrownBy(() -> allocator.grant(1)).hasMessage("c objects").satisfies(it -> assertThat(it
        .getSuppressed()).singleElement().satisfies(also -> assertThat(also).hasMessage("a objects")));
      assertThat(heard).filteredOn(it -> !it.endsWith("added")).containsExactly("a granted", "b granted", "c granted",
        "b freed", "a freed");
      assertThat(allocator.stats().liveCount()).isZero();
      allocator.validate();
    }
  }

  @Test
  void otherNewsReachAllWhoeverThrows() {
    AllocationListener all = Listeners.of(new Noting("a", "freed", "added", "released", "refused"), new Noting("b"),
      new Noting("c", "freed", "added", "released", "refused"));
    for (Runnable news : List.<Runnable>of(() -> all.freed(0, 0, 0), () -> all.regionAdded(0, 0), () -> all
      .regionReleased(0, 0), () -> all.refused(refusal()))) {
      heard.clear();
      assertThatThrownBy(news::run).hasMessage("a objects").satisfies(it -> assertThat(it.getSuppressed()).hasSize(1));
      assertThat(heard).hasSize(3);
    }
  }

  private static OutOfMemory refusal() {
    try (BfcAllocator allocator = allocator(AllocationListener.silent())) {
      allocator.grant(1L << 40);
    } catch (OutOfMemory refusal) {
      return refusal;
    }
    throw new AssertionError("granted");
  }
}
