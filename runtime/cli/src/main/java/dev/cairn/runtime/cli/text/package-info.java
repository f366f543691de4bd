/** Results as a person or a program reads them: aligned tables, and JSON. Start at {@code Table}. */
@NullMarked
package dev.cairn.runtime.cli.text;

import org.jspecify.annotations.NullMarked;
