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

  /** Notes the events that it gets, and throws at those named in {@code objections}. */
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
    assertThat(Listeners.of()).isSameAs(AllocationListener.silent());
    assertThat(Listeners.of(AllocationListener.silent(), AllocationListener.silent())).isSameAs(AllocationListener
      .silent());
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
  void oneThatThrowsIsDetachedWhileTheOthersHearEverything() {
    for (String what : List.of("added", "granted", "freed", "refused", "released")) {
      heard.clear();
      try (BfcAllocator allocator = allocator(Listeners.of(new Noting("a"), new Noting("b", what), new Noting("c")))) {
        for (int i = 0; i < 2; i++) {
          allocator.release(allocator.grant(1));
          assertThatThrownBy(() -> allocator.grant(1L << 40)).isInstanceOf(OutOfMemory.class);
          allocator.trim();
        }
        assertThat(allocator.stats().liveCount()).isZero();
        allocator.validate();
      }
      assertThat(heard.stream().filter(it -> it.startsWith("a "))).hasSize(10);
      assertThat(heard.stream().filter(it -> it.startsWith("c "))).hasSize(10);
      List<String> heardByB = heard.stream().filter(it -> it.startsWith("b ")).toList();
      assertThat(heardByB.getLast()).isEqualTo("b " + what);
      assertThat(heardByB).hasSizeLessThan(6);
    }
  }

  @Test
  void eventsAreThoseOfTheFirstThatRemembersAndDoesNotThrow() {
    List<PoolEvent> events = List.of(new PoolEvent(PoolEvent.Kind.GROW, PoolEvent.NO_GRANT, 0, 256, Owner.NONE));
    int[] asked = new int[1];
    AllocationListener all = Listeners.of(new AllocationListener() {
      @Override
      public List<PoolEvent> lastEvents() {
        asked[0]++;
        throw new IllegalStateException("forgot");
      }
    }, new Noting("a"), new AllocationListener() {
      @Override
      public List<PoolEvent> lastEvents() {
        return events;
      }
    });
    assertThat(all.lastEvents()).isEqualTo(events);
    assertThat(all.lastEvents()).isEqualTo(events);
    assertThat(asked[0]).isOne();
  }

  @Test
  void aListOfListenersIsNotWrappedAgain() {
    AllocationListener list = Listeners.of(new Noting("a"), new Noting("b"));
    assertThat(Listeners.of(list)).isSameAs(list);
  }
}
