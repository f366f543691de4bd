/** Output formats: aligned tables for people, JSON for programs. Start at {@code Table}. */
@NullMarked
package dev.cairn.runtime.cli.text;

import org.jspecify.annotations.NullMarked;
