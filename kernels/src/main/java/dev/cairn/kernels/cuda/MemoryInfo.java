package dev.cairn.kernels.cuda;

/**
 * The free memory of a device, as the driver reports it.
 *
 * @param freeBytes memory that no process has allocated at this moment
 * @param totalBytes all memory of the device
 */
public record MemoryInfo(long freeBytes, long totalBytes) {}
