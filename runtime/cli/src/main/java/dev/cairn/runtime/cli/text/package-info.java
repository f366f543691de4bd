/**
 * Output formats: aligned tables for people, JSON for programs. Start at {@code Table}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.cli.text;

import org.jspecify.annotations.NullMarked;
