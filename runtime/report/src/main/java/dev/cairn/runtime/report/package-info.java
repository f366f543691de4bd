/**
 * Reports for people and their tools: memory maps as files for viewers, drawings of plans, and readers of allocation
 * traces.
 *
 * <p>This package works on values: it calls no allocator and plans nothing. {@link dev.cairn.runtime.report.WholeFile}
 * writes files atomically.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.report;

import org.jspecify.annotations.NullMarked;
