/**
 * Tests of the simplifying passes: each by text before and after, all together on random graphs against
 * {@link dev.cairn.runtime.pass.simplify.NaiveInterpreter}.
 */
@NullMarked
package dev.cairn.runtime.pass.simplify;

import org.jspecify.annotations.NullMarked;
