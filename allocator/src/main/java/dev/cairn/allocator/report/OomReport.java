package dev.cairn.allocator.report;

import dev.cairn.allocator.OutOfMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Why a request could not be met, and what can be done: one screen, the most important line first. A value; made from
 * the facts of the failure, without touching the allocator. TensorFlow's and PyTorch's reports show the same strip and
 * bins; the releasing set is not among what they tell.
 *
 * @param failure what failed, and why
 * @param summary who holds the memory, and how full it is where
 * @param releasingSet the blocks whose release would let the request be met; empty when no release would
 * @param remedies what would help, most certain first
 * @param dump the file that has every chunk, when one was written
 */
public record OomReport(OutOfMemory failure, MapSummary summary, Optional<ReleasingSet> releasingSet,
  List<Remedy> remedies, Optional<Path> dump) {
  /** Copies the list. */
  public OomReport {
    remedies = List.copyOf(remedies);
  }

  /** Takes time in proportion to the chunks; makes no object for each. */
  public static OomReport of(OutOfMemory failure, Optional<Path> dump) {
    return new OomReport(failure, MapSummary.of(failure.memoryMap()), ReleasingSet.of(failure), Remedies.of(failure),
      dump);
  }

  /** As {@link #of(OutOfMemory, Optional)}, when no dump was written. */
  public static OomReport of(OutOfMemory failure) {
    return of(failure, Optional.empty());
  }

  /** Which of the four classes of causes it is. */
  public OutOfMemory.Reason reason() {
    return failure.reason();
  }

  /** About forty lines of at most 100 characters, without a line end after the last. */
  public String text() {
    return OomText.of(this);
  }

  @Override
  public String toString() {
    return text();
  }
}
