/**
 * What happened, for people and their tools: memory maps as files that viewers open, traces of allocations read in.
 *
 * <p>Works on values only; no allocator is touched.
 */
@NullMarked
package dev.cairn.runtime.report;

import org.jspecify.annotations.NullMarked;
