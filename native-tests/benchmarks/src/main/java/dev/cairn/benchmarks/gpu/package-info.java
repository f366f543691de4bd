/**
 * What Cairn's calls to CUDA cost beside the driver's own.
 *
 * <p>Start at {@link dev.cairn.benchmarks.gpu.GpuBenchmark}, which has the list of tables. A {@code GpuTable} measures
 * one section of the page on a {@code GpuUnderTest}: a device as Cairn opens it, and beside it the same driver called
 * without Cairn and JCuda, {@code NativeDriver}. {@code Turns} lets both sides measure in turn. {@code GpuModelsTable}
 * has whole models, beside PyTorch in processes of its own. To add a table, write one class and name it in the list.
 */
@NullMarked
package dev.cairn.benchmarks.gpu;

import org.jspecify.annotations.NullMarked;
