package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A listener or a source that calls the allocator which called it is told so, whatever it calls, and nothing hangs. */
class ReentryTest {
  private static final BfcOptions OPTIONS = BfcOptions.DEFAULT.withLimitBytes(1 << 20).withFirstRegionBytes(4096)
    .withGrowth(BfcOptions.Growth.AS_REQUESTED);
  /** All that takes a lock. */
  private static final Map<String, Consumer<BfcAllocator>> CALLS = new LinkedHashMap<>();

  static {
    CALLS.put("allocate", it -> it.allocate(700));
    CALLS.put("allocate much", it -> it.allocate(300_000));
    CALLS.put("allocate aligned", it -> it.allocate(AllocationRequest.of(700).withAlignment(4096)));
    CALLS.put("reserve", it -> it.reserve(AllocationRequest.of(700)));
    CALLS.put("grant", it -> it.grant(700));
    CALLS.put("stats", BfcAllocator::stats);
    CALLS.put("clear", BfcAllocator::clearStats);
    CALLS.put("map", BfcAllocator::memoryMap);
    CALLS.put("validate", BfcAllocator::validate);
    CALLS.put("trim", BfcAllocator::trim);
    CALLS.put("close", BfcAllocator::close);
  }

  /** Calls back whenever it is called, in each way; keeps what it is answered. */
  private static final class Caller implements AllocationListener, SubAllocator {
    private final FakeSubAllocator source = FakeSubAllocator.scattered(1 << 24);
    private @Nullable BfcAllocator allocator;
    private @Nullable Block held;
    final List<String> refused = new ArrayList<>();
    final List<String> done = new ArrayList<>();

    private void callBack(String from) {
      BfcAllocator target = allocator;
      if (target != null) {
        allocator = null;
        CALLS.forEach((name, call) -> attempt(from + " -> " + name, () -> call.accept(target)));
        Block block = held;
        if (block != null && !from.equals("freed")) {
          attempt(from + " -> free", () -> target.free(block));
          attempt(from + " -> release", () -> target.release(block.handle()));
        }
        allocator = target;
      }
    }

    private void attempt(String what, Runnable call) {
      try {
        call.run();
        done.add(what);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("reentrant call");
        refused.add(what);
      }
    }

    @Override
    public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
      callBack("granted");
    }

    @Override
    public void freed(long allocationId, long address, long bytes) {
      callBack("freed");
    }

    @Override
    public void regionAdded(long address, long bytes) {
      callBack("added");
    }

    @Override
    public void regionReleased(long address, long bytes) {
      callBack("released");
    }

    @Override
    public MemorySpace space() {
      return source.space();
    }

    @Override
    public long maximumRegionBytes() {
      return source.maximumRegionBytes();
    }

    @Override
    public boolean supportsCoalescing() {
      return source.supportsCoalescing();
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      callBack("source");
      return source.allocate(bytes);
    }

    @Override
    public void release(Region region) {
      callBack("source");
      source.release(region);
    }
  }

  private static BfcAllocator allocator(SubAllocator source, AllocationListener listener) {
    return new BfcAllocator(source, OPTIONS, listener);
  }

  @Test
  void whoeverIsToldCannotCallBack() {
    Caller caller = new Caller();
    BfcAllocator allocator = allocator(caller.source, caller);
    script(caller, allocator);
    assertThat(caller.done).isEmpty();
    for (String from : List.of("granted", "freed", "added", "released")) {
      CALLS.keySet().forEach(name -> assertThat(caller.refused).contains(from + " -> " + name));
    }
    assertThat(caller.refused).contains("granted -> free", "added -> release");
  }

  @Test
  void aSourceCannotCallBack() {
    Caller caller = new Caller();
    BfcAllocator allocator = allocator(caller, AllocationListener.silent());
    script(caller, allocator);
    assertThat(caller.done).isEmpty();
    CALLS.keySet().forEach(name -> assertThat(caller.refused).contains("source -> " + name));
  }

  private static void script(Caller caller, BfcAllocator allocator) {
    caller.allocator = allocator;
    Block held = allocator.allocate(500);
    caller.held = held;
    allocator.free(allocator.allocate(500));
    allocator.free(allocator.allocate(300_000));
    Block reserved = allocator.reserve(AllocationRequest.of(5000));
    allocator.release(allocator.grant(40_000));
    allocator.free(reserved);
    allocator.trim();
    allocator.validate();
    assertThat(allocator.stats().liveCount()).isOne();
    caller.held = null;
    allocator.free(held);
    allocator.close();
    assertThat(caller.source.heldRegions()).isZero();
  }

  /** Refusals are told without a lock: then all may be called, also while others are told of grants. */
  @Test
  void whoIsToldOfARefusalMayCallBack() throws Exception {
    BfcAllocator[] own = new BfcAllocator[1];
    BfcAllocator allocator = allocator(FakeSubAllocator.scattered(1 << 24), new AllocationListener() {
      @Override
      public void refused(OutOfMemory refusal) {
        own[0].free(own[0].allocate(700));
        own[0].trim();
        own[0].stats();
      }
    });
    own[0] = allocator;
    Threads.run(4, thread -> {
      for (int round = 0; round < 60; round++) {
        if (thread % 2 == 0) {
          allocator.free(allocator.allocate(700 + 256L * thread));
        } else {
          assertThat(allocator.tryGrant(2 << 20, 0)).isEqualTo(Block.NO_HANDLE);
          try {
            allocator.allocate(2 << 20);
          } catch (OutOfMemory refusal) {
            assertThat(refusal.requestedBytes()).isEqualTo(2 << 20);
          }
        }
      }
    });
    allocator.validate();
    allocator.close();
  }

  @Test
  void aListenerThatCallsBackIsDetachedAndTheGrantIsMade() {
    BfcAllocator[] own = new BfcAllocator[1];
    int[] told = new int[1];
    own[0] = allocator(FakeSubAllocator.scattered(1 << 24), new AllocationListener() {
      @Override
      public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
        told[0]++;
        own[0].stats();
      }
    });
    own[0].free(own[0].allocate(100));
    own[0].free(own[0].allocate(100));
    assertThat(told[0]).isOne();
    own[0].validate();
    own[0].close();
  }
}
