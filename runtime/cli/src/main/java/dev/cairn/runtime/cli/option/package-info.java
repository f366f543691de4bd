/**
 * Command-line options that several commands share, with their descriptions, defaults and converters. Start at {@code
 * ModelOption}.
 *
 * <p>More than 30 files, because each group of options is a class, and so is each way to read a word.
 */
@NullMarked
package dev.cairn.runtime.cli.option;

import org.jspecify.annotations.NullMarked;
