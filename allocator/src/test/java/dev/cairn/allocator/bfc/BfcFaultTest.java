package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import dev.cairn.allocator.AllocationRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the source or a listener does, the allocator is whole afterwards and the next call works. */
class BfcFaultTest {
  @RegisterExtension
  final Validated validated = new Validated();

  /** One run of a fixed script for each call to the source that the script makes: that one call goes wrong. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aFaultAtEachCallInTurn(Fault fault) {
    int calls = scriptWithFaultAt(Long.MAX_VALUE, fault, true);
    assertThat(calls).isGreaterThan(10);
    for (int at = 0; at < calls; at++) {
      scriptWithFaultAt(at, fault, true);
      scriptWithFaultAt(at, fault, false);
    }
  }

  private int scriptWithFaultAt(long faultAt, Fault fault, boolean contiguous) {
    FakeSubAllocator fake = contiguous ? FakeSubAllocator.contiguous(1L << 40) : FakeSubAllocator.scattered(1L << 40);
    FaultySubAllocator source = new FaultySubAllocator(fake, call -> call == faultAt ? fault : Fault.NONE);
    BfcAllocator allocator = validated.watch(new BfcAllocator(source, BfcOptions.DEFAULT.withFirstRegionBytes(1024)));
    List<Long> held = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      AllocatorStats before = allocator.stats();
      try {
        held.add(allocator.grant((700L * (i % 7 + 1)) << (i / 3)));
      } catch (OutOfMemory | IllegalStateException | OutOfMemoryError e) {
        assertThat(allocator.stats()).isEqualTo(before);
      }
      allocator.validate();
      if (i % 5 == 4) {
        allocator.release(held.removeFirst());
      }
    }
    held.forEach(allocator::release);
    closeDespiteOneFault(allocator);
    assertThat(fake.heldBytes()).isZero();
    return (int) source.calls();
  }

  private static void closeDespiteOneFault(BfcAllocator allocator) {
    try {
      allocator.close();
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessageContaining("on purpose");
      allocator.validate();
      allocator.release(allocator.grant(1000));
      allocator.close();
    }
  }

  private static final class Recorder implements AllocationListener {
    final List<String> heard = new ArrayList<>();
    String failing = "nothing";

    private void hear(String event, long id, long bytes) {
      heard.add(String.format(Locale.ROOT, "%s %d %d", event, id, bytes));
      if (event.equals(failing)) {
        throw new UnsupportedOperationException(event);
      }
    }

    @Override
    public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
      hear("granted", allocationId, bytes);
    }

    @Override
    public void freed(long allocationId, long address, long bytes) {
      hear("freed", allocationId, bytes);
    }

    @Override
    public void regionAdded(long address, long bytes) {
      hear("added", 0, bytes);
    }

    @Override
    public void regionReleased(long address, long bytes) {
      hear("released", 0, bytes);
    }

    @Override
    public void refused(OutOfMemory refusal) {
      hear("refused", 0, refusal.requestedBytes());
    }
  }

  private final Recorder recorder = new Recorder();

  private BfcAllocator listened() {
    return validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 24),
      BfcOptions.DEFAULT.withLimitBytes(1 << 20), recorder));
  }

  @Test
  void aListenerHearsEverythingInOrder() {
    BfcAllocator allocator = listened();
    Block block = allocator.allocate(300, "a");
    assertThatThrownBy(() -> allocator.allocate(1 << 21, "b")).isInstanceOf(OutOfMemory.class);
    allocator.free(block);
    allocator.close();
    assertThat(recorder.heard).containsExactly("added 0 1048576", "granted 0 512", "refused 0 2097152", "freed 0 512",
      "released 0 1048576");
  }

  @ParameterizedTest
  @ValueSource(strings = {"added", "granted", "freed", "refused", "released"})
  void aListenerThatThrowsUndoesNothingAndIsToldNothingAfterwards(String event) {
    BfcAllocator allocator = listened();
    recorder.failing = event;
    Block block = allocator.allocate(300, "a");
    assertThat(allocator.stats().liveCount()).isOne();
    assertThatThrownBy(() -> allocator.allocate(1 << 21, "b")).isInstanceOf(OutOfMemory.class);
    allocator.free(block);
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.free(allocator.reserve(AllocationRequest.of(300)));
    allocator.close();
    assertThat(allocator.stats().poolBytes()).isZero();
    assertThat(recorder.heard.getLast()).startsWith(event);
    assertThat(recorder.heard.stream().filter(it -> it.startsWith(event))).hasSize(1);
  }

  @Test
  void aListenerHearsNothingOfAFreeThatTheSourceRefused() {
    FaultySubAllocator source = new FaultySubAllocator(FakeSubAllocator.scattered(1 << 24),
      call -> call == 1 ? Fault.THROW : Fault.NONE);
    BfcAllocator allocator = validated.watch(new BfcAllocator(source, BfcOptions.DEFAULT, recorder));
    Block block = allocator.reserve(AllocationRequest.of(300));
    assertThatThrownBy(() -> allocator.free(block)).hasMessageContaining("on purpose");
    assertThat(allocator.stats().liveCount()).isEqualTo(1);
    assertThat(recorder.heard).containsExactly("added 0 512", "granted 0 512");
    allocator.free(block);
    assertThat(recorder.heard.subList(2, 4)).containsExactly("released 0 512", "freed 0 512");
  }
}
