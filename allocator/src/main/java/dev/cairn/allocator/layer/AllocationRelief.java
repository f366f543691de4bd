package dev.cairn.allocator.layer;

import dev.cairn.allocator.OutOfMemory;

/** Gives memory up when others need it: drops a cache, ends an idle session. Called by the thread that needs it. */
@FunctionalInterface
public interface AllocationRelief {
  /**
   * Frees something, if it can.
   *
   * @param refusal what could not be met; its request says how much is needed
   * @return whether it is worth trying again; a relief that always says so is asked for ever
   */
  boolean relieve(OutOfMemory refusal);
}
