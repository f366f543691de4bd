/**
 * The command line: one class a verb, wiring the rest.
 *
 * <p>Start at {@link dev.cairn.runtime.cli.Main}; the verbs are the rows of {@link dev.cairn.runtime.cli.Verb}.
 * Results go to standard output, everything else to standard error. A failure is three lines (cause, evidence, remedy)
 * and an exit code, both decided in one place, {@link dev.cairn.runtime.cli.Failure}. The environment and system
 * properties are read in {@link dev.cairn.runtime.cli.RuntimeOptions} and nowhere else.
 */
@NullMarked
package dev.cairn.runtime.cli;

import org.jspecify.annotations.NullMarked;
