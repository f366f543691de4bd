package dev.cairn.runtime.cached;

/**
 * What a {@link CachedOp} holds.
 *
 * @param plans plans, each for one signature
 * @param pendingCalls recorded calls whose backward has not given up their tape
 * @param pendingBytes bytes that those calls keep for their gradients, besides operands and results
 */
public record CachedOpStats(int plans, int pendingCalls, long pendingBytes) {}
