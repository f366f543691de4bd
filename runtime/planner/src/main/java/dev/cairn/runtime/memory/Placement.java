package dev.cairn.runtime.memory;

/**
 * Where a buffer lies. Any numbers are allowed here; whether they make sense is the validator's to say.
 *
 * @param pool index of the pool
 * @param offset bytes from the pool's base
 */
public record Placement(int pool, long offset) {}
