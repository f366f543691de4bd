/**
 * Traces of allocations from files, whatever wrote them.
 *
 * <p>Start at {@link dev.cairn.runtime.report.trace.TraceFormat}, the list of formats, which also tells one from
 * another. Those in CSV are read by the allocator's own classes; those in JSON are read here, where a JSON library is.
 * To add a format, write a reader and add its row.
 */
@NullMarked
package dev.cairn.runtime.report.trace;

import org.jspecify.annotations.NullMarked;
