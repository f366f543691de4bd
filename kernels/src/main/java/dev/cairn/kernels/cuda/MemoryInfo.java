package dev.cairn.kernels.cuda;

/**
 * How much of a device's memory is free, by the driver's word.
 *
 * @param freeBytes what nobody holds at this moment, of this process or another
 * @param totalBytes all there is
 */
public record MemoryInfo(long freeBytes, long totalBytes) {}
