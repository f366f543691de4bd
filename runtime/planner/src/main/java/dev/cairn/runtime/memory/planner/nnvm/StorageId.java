package dev.cairn.runtime.memory.planner.nnvm;

/** The values of a storage id that name no storage; ids from 0 on do. */
public final class StorageId {
  /**
   * The storage is not planned: every entry's id before planning, and for ever that of variables and of unknown shapes.
   */
  public static final int NONE = -1;
  /** Given from outside; never requested, never released. */
  public static final int EXTERNAL = -2;
  /** Allocated while the graph runs; never requested, never released. */
  public static final int DYNAMIC = -3;

  private StorageId() {}
}
