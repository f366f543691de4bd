package dev.cairn.allocator.storage;

import org.jspecify.annotations.Nullable;

/** The idle chunks of one length, a stack: freed last, taken first. Exists as long as any chunk of that length does. */
final class ChunkStack {
  /** The length. An object, so that looking for the stack under it needs no memory. */
  final Long key;
  /** How many chunks of this length there are, idle or held. */
  int chunkCount;
  @Nullable
  Chunk top;
  @Nullable
  Chunk bottom;

  ChunkStack(long bytes) {
    this.key = bytes;
  }

  void push(Chunk chunk) {
    Chunk under = top;
    chunk.below = under;
    chunk.above = null;
    if (under == null) {
      bottom = chunk;
    } else {
      under.above = chunk;
    }
    top = chunk;
  }

  void remove(Chunk chunk) {
    Chunk under = chunk.below;
    Chunk over = chunk.above;
    if (under == null) {
      bottom = over;
    } else {
      under.above = over;
    }
    if (over == null) {
      top = under;
    } else {
      over.below = under;
    }
    chunk.below = null;
    chunk.above = null;
  }
}
