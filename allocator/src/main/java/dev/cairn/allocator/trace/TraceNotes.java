package dev.cairn.allocator.trace;

/**
 * The entries that a reader met beside plain grants and frees. Real logs begin late, end early and lose lines.
 *
 * @param failures requests that were not met when the trace was taken; they are not part of it
 * @param heldFromStart blocks whose grant came before the log began: held from the first event on
 * @param impliedFrees blocks whose free is missing, seen by a second grant of their address: freed just before that
 * @param strayFrees frees of what was free already; left out
 * @param empties grants and frees of no bytes; left out
 */
public record TraceNotes(long failures, long heldFromStart, long impliedFrees, long strayFrees, long empties) {
  /** No notes. */
  public static final TraceNotes NONE = new TraceNotes(0, 0, 0, 0, 0);
}
