package dev.cairn.runtime.trace;

/** How a step uses the memory that its kernel gets. */
public enum MemoryUse {
  /** The kernel reads an operand there. */
  READ,
  /** The kernel keeps there what it needs while it works. */
  SCRATCH,
  /** The kernel writes a result there. */
  WRITTEN
}
