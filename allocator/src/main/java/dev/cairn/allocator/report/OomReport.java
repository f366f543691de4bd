package dev.cairn.allocator.report;

import dev.cairn.allocator.OutOfMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A one-screen report on a failed allocation: the cause and the remedies, most important line first. A value, made from
 * the facts of the failure without access to the allocator. The strip and the bins are as in TensorFlow's and PyTorch's
 * reports; those have no releasing set.
 *
 * @param failure the failed allocation
 * @param summary a summary of the memory map
 * @param releasingSet the blocks whose release would let the request succeed, if any
 * @param remedies what would help, most reliable first
 * @param dump the file with the full memory map, if one was written
 */
public record OomReport(OutOfMemory failure, MapSummary summary, Optional<ReleasingSet> releasingSet,
  List<Remedy> remedies, Optional<Path> dump) {
  /** Copies the list. */
  public OomReport {
    remedies = List.copyOf(remedies);
  }

  /** Takes time in proportion to the number of chunks; creates no object for each. */
  public static OomReport of(OutOfMemory failure, Optional<Path> dump) {
    return new OomReport(failure, MapSummary.of(failure.memoryMap()), ReleasingSet.of(failure), Remedies.of(failure),
      dump);
  }

  /** Like {@link #of(OutOfMemory, Optional)} without a dump. */
  public static OomReport of(OutOfMemory failure) {
    return of(failure, Optional.empty());
  }

  /** The cause of the failure. */
  public OutOfMemory.Reason reason() {
    return failure.reason();
  }

  /** About forty lines of at most 100 characters, without a trailing newline. */
  public String text() {
    return OomText.of(this);
  }

  @Override
  public String toString() {
    return text();
  }
}
