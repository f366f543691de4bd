/**
 * Reads allocation traces from files in several formats.
 *
 * <p>Start at {@link dev.cairn.runtime.report.trace.TraceFormat}, the list of formats, which also detects a file's
 * format. The allocator's own classes read CSV formats; this package reads JSON formats, because it has a JSON library.
 * To add a format, write a reader and add its row.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.report.trace;

import org.jspecify.annotations.NullMarked;
