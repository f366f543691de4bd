package dev.cairn.allocator.trace;

/**
 * What a reader met that is no plain grant or free. Real logs begin late, end early and lose lines.
 *
 * @param failures requests that were not met when the trace was taken; they are not part of it
 * @param heldFromStart blocks whose grant came before the log began: held from the first event on
 * @param impliedFrees blocks whose free is missing, told by their address being granted again: freed just before that
 * @param strayFrees frees of what was free already; left out
 * @param empties grants and frees of no bytes; left out
 */
public record TraceNotes(long failures, long heldFromStart, long impliedFrees, long strayFrees, long empties) {
  /** Nothing to tell. */
  public static final TraceNotes NONE = new TraceNotes(0, 0, 0, 0, 0);
}
