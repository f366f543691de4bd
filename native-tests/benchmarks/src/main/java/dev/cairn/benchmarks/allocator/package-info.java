/**
 * Cairn's allocator beside ONNX Runtime's arena, in one process, in turns.
 *
 * <p>Start at {@link dev.cairn.benchmarks.allocator.AllocatorBenchmark}, which has the list of tables. A {@code
 * FigureTable} is one class and makes one {@code Section} of the page: a table and the {@code Figure}s, some with a
 * {@code Goal}, that go into the last line. {@code Rounds} lets contestants take turns; a {@code Contest} is that for
 * the two allocators. The contests of a {@code ContestTable} are {@code Match}es that {@code MatchProcesses} plays in
 * several processes, each a {@code MatchMain}. A {@code Trial} is one workload as a {@code JmhTimer} runs it. {@code
 * arena} has the allocators, {@code workload} what they are made to do. To add a table, write one class and name it in
 * the list. What is fair is said in {@code docs/benchmarks/README.md}.
 */
@NullMarked
package dev.cairn.benchmarks.allocator;

import org.jspecify.annotations.NullMarked;
