package dev.cairn.runtime.trace;

/** An output that is copied to the caller after the steps: its name, its type for people, and its bytes. */
public record TracedCopy(String tensor, String type, long bytes) {}
