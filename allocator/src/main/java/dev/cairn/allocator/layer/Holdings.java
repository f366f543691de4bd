package dev.cairn.allocator.layer;

import dev.cairn.allocator.Block;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who holds which block, in stripes, each with a lock of its own. Safe for use by many threads. */
final class Holdings {
  private static final int STRIPES = 64;

  private final List<HeldBlocks<Holder>> stripes = new ArrayList<>(STRIPES);

  Holdings() {
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new HeldBlocks<>());
    }
  }

  /** A block that upstream has just granted. */
  void add(Block block, Holder holder) {
    HeldBlocks<Holder> stripe = stripeOf(block);
    Holder before;
    synchronized (stripe) {
      before = stripe.put(block, holder);
    }
    if (before != null) {
      // Someone freed its block past this layer: what it seems to hold is no longer to be trusted.
      before.share();
    }
    holder.took(block.bytes());
  }

  /** A block that upstream is about to be given; answers who held it, null if nobody did. */
  @Nullable
  Holder remove(Block block) {
    HeldBlocks<Holder> stripe = stripeOf(block);
    Holder holder;
    synchronized (stripe) {
      holder = stripe.remove(block);
    }
    if (holder != null) {
      holder.gave(block.bytes());
    }
    return holder;
  }

  /** Hands a block on; false if nobody holds it. */
  boolean transfer(Block block, Holder to) {
    HeldBlocks<Holder> stripe = stripeOf(block);
    synchronized (stripe) {
      Holder from = stripe.holderOf(block);
      if (from == null) {
        return false;
      }
      from.gave(block.bytes());
      stripe.put(block, to);
      to.took(block.bytes());
      return true;
    }
  }

  private HeldBlocks<Holder> stripeOf(Block block) {
    return stripes.get((int) (HeldBlocks.hash(block.address()) >>> 58));
  }
}
