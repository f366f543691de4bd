/** Tests of {@code dev.cairn.runtime.pass.gradient}. */
@NullMarked
package dev.cairn.runtime.pass.gradient;

import org.jspecify.annotations.NullMarked;
