/**
 * The command line: one class for each verb.
 *
 * <p>Start at {@link dev.cairn.runtime.cli.Main}; the verbs are the rows of {@link dev.cairn.runtime.cli.Verb}. Results
 * go to standard output, everything else to standard error. {@link dev.cairn.runtime.cli.Failure} turns a failure into
 * three lines (cause, evidence, remedy) and an exit code. {@link dev.cairn.runtime.memory.FitVerdict} decides whether a
 * plan fits; {@code ModelFit} tries smaller batches, and {@code FitText} and {@code RemedyWords} print the verdict.
 * Only {@link dev.cairn.runtime.cli.RuntimeOptions} reads the environment and system properties.
 *
 * <p>To add a verb, add a row and its case to {@code Verb}, and a class that extends {@code CairnCommand}. To add an
 * option, see {@link dev.cairn.runtime.cli.option}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.cli;

import org.jspecify.annotations.NullMarked;
