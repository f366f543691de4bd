package dev.cairn.runtime.trace;

/**
 * A copy of an output to the caller after the last step, for an output whose last kernel could not write it there: the
 * output's name, its type as text and its bytes.
 */
public record TracedCopy(String tensor, String type, long bytes) {}
