package dev.cairn.runtime.cli.doctor;

/**
 * One GPU.
 *
 * @param index as in {@code cuda:0}
 * @param capability compute capability, {@code 9.0}
 * @param freeBytes bytes that no program holds; 0 when that could not be asked
 * @param failure what the driver said when it was to be used; empty when it can be
 */
public record GpuFacts(int index, String name, String capability, long totalBytes, long freeBytes, String failure) {}
