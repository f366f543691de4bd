package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Rounding;
import org.jspecify.annotations.Nullable;

/** How long the chunk for a request is: the next multiple of 256, or what a rounding says. */
final class SizeRule {
  private final @Nullable Rounding rounding;

  SizeRule(@Nullable Rounding rounding) {
    this.rounding = rounding;
  }

  /** At least {@code requestedBytes}, a multiple of 256. */
  long bytes(long requestedBytes) {
    Rounding other = rounding;
    return other == null || requestedBytes > Rounding.MAXIMUM_BYTES || requestedBytes <= 0
      ? Alignment.up(requestedBytes, Alignment.CHUNK_BYTES)
      : other.round(requestedBytes);
  }
}
