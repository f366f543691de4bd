package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.source.FakeSubAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each invariant of the front is broken by hand: the check must name it. */
class FrontInvariantsTest {
  private static final int CLASS = FrontOptions.classOf(1000);

  private FrontedAllocator allocator;
  private Front front;
  private FrontSlots slots;
  private FrontStripe stripe;
  private int held;
  private int parked;

  /** One chunk of 1,024 bytes is held, another parked. */
  @BeforeEach
  void makeFront() {
    allocator = new FrontedAllocator(FakeSubAllocator.scattered(1 << 24), BfcOptions.DEFAULT,
      FrontOptions.DEFAULT.withStripes(1).withMagazineBlocks(2), AllocationListener.silent());
    front = allocator.front;
    slots = front.slots;
    stripe = front.stripes.own();
    long first = allocator.grant(1000);
    long second = allocator.grant(1000);
    held = slots.chunkOf(first);
    parked = slots.chunkOf(second);
    allocator.release(second);
    assertThatCode(allocator::validate).doesNotThrowAnyException();
  }

  private void assertBroken(String invariant) {
    assertThatThrownBy(allocator::validate).isInstanceOf(AssertionError.class)
      .hasMessageStartingWith(invariant + " broken");
  }

  @Test
  void slottedWhatTheHeapHasInUse() {
    slots.vacate(held);
    assertBroken("F1 slotted");
  }

  @Test
  void slottedOnlyThat() {
    int free = front.depot.heap.bins.bestFit(front.depot.heap.chunks, 256);
    slots.grant(free, 0, 100, 0, 0);
    assertBroken("F1 slotted");
  }

  @Test
  void slottedWhereItIs() {
    slots.fill(held, slots.address(held) + 256, slots.bytes(held), false);
    assertBroken("F1 slotted");
  }

  @Test
  void stackedOnce() {
    slots.park(parked, parked);
    assertBroken("F2 stacked");
  }

  @Test
  void stackedOnlyWhatIsParked() {
    stripe.push(CLASS, held, 1024);
    slots.giveToHolder(held);
    assertBroken("F2 stacked");
  }

  @Test
  void stackedAllThatIsParked() {
    stripe.pop(CLASS);
    assertBroken("F2 stacked");
  }

  @Test
  void sizedInMagazines() {
    stripe.pop(CLASS);
    stripe.push(CLASS + 1, parked, 1024);
    assertBroken("F3 sized");
  }

  @Test
  void sizedForHolders() {
    slots.grant(held, slots.allocationId(held), 1025, 0, 0);
    assertBroken("F3 sized");
  }

  @Test
  void countedByStripes() {
    stripe.granted(1024, 1000);
    assertBroken("F4 counted");
  }

  @Test
  void countedInMagazines() {
    stripe.pop(CLASS);
    stripe.push(CLASS, parked, 1280);
    assertBroken("F4 counted");
  }

  @Test
  void boundedInBlocks() {
    long[] handles = {allocator.grant(1000), allocator.grant(1000), allocator.grant(1000)};
    for (long handle : handles) {
      int chunk = slots.takeFromHolder(handle);
      stripe.push(CLASS, chunk, 1024);
    }
    assertBroken("F5 bounded");
  }

  @Test
  void boundedInBytes() {
    stripe.push(CLASS, slots.takeFromHolder(allocator.grant(1000)), 2 << 20);
    stripe.push(CLASS, held, 1024);
    assertThatThrownBy(allocator::validate).isInstanceOf(AssertionError.class);
  }

  @Test
  void identified() {
    slots.grant(held, 1 << 20, 1000, 0, 0);
    assertBroken("F6 identified");
  }

  @Test
  void identifiedOnce() {
    long other = allocator.grant(1000);
    slots.grant(slots.chunkOf(other), slots.allocationId(held), 1000, 0, 0);
    assertBroken("F6 identified");
  }

  @Test
  void theHeapIsCheckedToo() {
    front.depot.heap.chunks.setPrevious(parked, parked);
    assertBroken("I2 linked");
  }
}
