package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Checks what {@link Front} promises, slowly and plainly; all stripes are locked. */
final class FrontInvariants {
  private final Front front;
  private final FrontSlots slots;
  private final ChunkTable chunks;
  private final BitSet inMagazines = new BitSet();
  private final Set<Long> ids = new HashSet<>();
  private long heldBytes;
  private long heldRequestedBytes;

  private FrontInvariants(Front front) {
    this.front = front;
    this.slots = front.slots;
    this.chunks = front.depot.heap.chunks;
  }

  /** Throws an {@link AssertionError} that names the invariant and the facts. */
  static void check(Front front) {
    front.depot.lock.with(() -> {
      Invariants.check(front.depot.heap);
      FrontInvariants invariants = new FrontInvariants(front);
      for (FrontStripe stripe : front.stripes.all()) {
        invariants.checkStripe(stripe);
      }
      invariants.checkSlots();
      invariants.checkFigures();
      return front;
    });
  }

  private void checkStripe(FrontStripe stripe) {
    long bytes = 0;
    for (int sizeClass = 0; sizeClass < front.options.classes(); sizeClass++) {
      int count = 0;
      for (int chunk = stripe.top(sizeClass); chunk != NONE; chunk = slots.below(chunk)) {
        require("F2 stacked", !inMagazines.get(chunk) && slots.isParked(chunk), chunk);
        inMagazines.set(chunk);
        long classBytes = FrontOptions.classBytes(sizeClass);
        require("F3 sized", slots.bytes(chunk) >= classBytes && slots.bytes(chunk) < 2 * classBytes, chunk);
        bytes += slots.bytes(chunk);
        count++;
      }
      require("F4 counted", count == stripe.parkedCount(sizeClass), sizeClass);
      require("F5 bounded", count <= front.options.magazineBlocks(), sizeClass);
    }
    if (bytes != stripe.parkedBytes()) {
      throw new AssertionError("F4 counted broken: parkedBytes=%d but there are %d".formatted(stripe.parkedBytes(),
        bytes));
    }
    if (bytes > front.options.stripeBytes()) {
      throw new AssertionError("F5 bounded broken: parkedBytes=%d stripeBytes=%d".formatted(bytes,
        front.options.stripeBytes()));
    }
  }

  private void checkSlots() {
    for (int chunk = 0; chunk < Math.max(slots.count(), chunks.rows()); chunk++) {
      boolean inUse = chunk < chunks.rows() && chunks.isInUse(chunk);
      boolean held = chunk < slots.count() && slots.isHeld(chunk);
      boolean parked = chunk < slots.count() && slots.isParked(chunk);
      require("F1 slotted", inUse == (held || parked), chunk);
      require("F2 stacked", parked == inMagazines.get(chunk), chunk);
      if (inUse) {
        require("F1 slotted",
          slots.address(chunk) == chunks.address(chunk) && slots.bytes(chunk) == chunks.bytes(chunk), chunk);
      }
      if (held) {
        checkHeld(chunk);
      }
    }
  }

  private void checkHeld(int chunk) {
    long requested = slots.requestedBytes(chunk);
    require("F3 sized", requested > 0 && requested <= slots.bytes(chunk), chunk);
    long id = slots.allocationId(chunk);
    require("F6 identified", id >= 0 && id < front.stripes.endOfIds() && ids.add(id), chunk);
    heldBytes += slots.bytes(chunk);
    heldRequestedBytes += requested;
  }

  private void checkFigures() {
    Flow flow = front.stripes.small();
    flow.add(front.stripes.large());
    if (flow.count() != ids.size() || flow.bytes() != heldBytes || flow.requestedBytes() != heldRequestedBytes) {
      throw new AssertionError(("F4 counted broken: count=%d bytes=%d requestedBytes=%d but held are count=%d bytes=%d "
        + "requestedBytes=%d").formatted(flow.count(), flow.bytes(), flow.requestedBytes(), ids.size(), heldBytes,
          heldRequestedBytes));
    }
  }

  private void require(String invariant, boolean holds, int where) {
    if (!holds) {
      boolean known = where < slots.count();
      throw new AssertionError("%s broken at chunk or class %d: held=%b parked=%b address=0x%x bytes=%d".formatted(
        invariant, where, known && slots.isHeld(where), known && slots.isParked(where),
        known ? slots.address(where) : 0, known ? slots.bytes(where) : 0));
    }
  }
}
