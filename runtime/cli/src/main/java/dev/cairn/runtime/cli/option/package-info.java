/**
 * Command-line options, with their descriptions, defaults and converters. Start at {@code ModelOption}.
 *
 * <p>To add an option, add a field with {@code @Option} to the class of its group, or to a new class. Each command that
 * has the option lists the class as a {@code @Mixin}; an option of one command may be a field of the command itself.
 * Help and completion follow from the field. {@code @HelpSection.In} names its section of the help; {@code
 * @HelpSection.Common} lists it in the short help, where only {@code --all} lists the others. Methods of the class turn
 *   fields into options of the library, and the defaults are the library's ({@code DefaultsTest}). {@code FileUse}
 * marks an option that names files; {@code CommandFiles} checks them before the work ({@code FileConflictTest}).
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.cli.option;

import org.jspecify.annotations.NullMarked;
