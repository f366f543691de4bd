package dev.cairn.runtime.memory;

/**
 * The place of a buffer. It accepts any numbers; the validator checks them.
 *
 * @param pool index of the pool
 * @param offset bytes from the pool's base
 */
public record Placement(int pool, long offset) {}
