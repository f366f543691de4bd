package dev.cairn.runtime.trace;

/**
 * An output, which is copied to the caller after the steps where its last kernel could not write it there: its name,
 * its type for people, and its bytes.
 */
public record TracedCopy(String tensor, String type, long bytes) {}
