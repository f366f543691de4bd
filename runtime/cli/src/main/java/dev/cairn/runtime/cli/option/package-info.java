/**
 * Options that several commands share, each with its own words, defaults and conversions. Start at {@code ModelOption}.
 */
@NullMarked
package dev.cairn.runtime.cli.option;

import org.jspecify.annotations.NullMarked;
