/**
 * What happened and what will, for people and their tools: memory maps as files that viewers open, plans drawn, traces
 * of allocations read in.
 *
 * <p>Works on values only: no allocator is touched, nothing is planned. {@link dev.cairn.runtime.report.WholeFile}
 * writes files that appear when they are complete.
 */
@NullMarked
package dev.cairn.runtime.report;

import org.jspecify.annotations.NullMarked;
