/**
 * Command-line options that several commands share, with their descriptions, defaults and converters. Start at {@code
 * ModelOption}.
 */
@NullMarked
package dev.cairn.runtime.cli.option;

import org.jspecify.annotations.NullMarked;
