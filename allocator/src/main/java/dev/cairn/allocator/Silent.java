package dev.cairn.allocator;

/** The null object among listeners. */
enum Silent implements AllocationListener {
  INSTANCE
}
