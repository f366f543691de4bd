/**
 * The command line: one class a verb, wiring the rest.
 *
 * <p>Start at {@link dev.cairn.runtime.cli.Main}; the verbs are the rows of {@link dev.cairn.runtime.cli.Verb}.
 * Results go to standard output, everything else to standard error. A failure is three lines (cause, evidence, remedy)
 * and an exit code, both decided in one place, {@link dev.cairn.runtime.cli.Failure}. Whether a plan fits is core's to
 * say ({@link dev.cairn.runtime.memory.FitVerdict}); {@code ModelFit} tries out smaller batches, and {@code FitText}
 * and {@code RemedyWords} put it into words. The environment and system
 * properties are read in {@link dev.cairn.runtime.cli.RuntimeOptions} and nowhere else.
 *
 * <p>More than 30 files, because there is one class for each verb, beside those that
 * print its answer; no other package uses them, so they are package-private.
 */
@NullMarked
package dev.cairn.runtime.cli;

import org.jspecify.annotations.NullMarked;
