/**
 * Tests of the pass manager, and {@link dev.cairn.runtime.pass.PassText}, by which tests of passes are text before
 * and after.
 */
@NullMarked
package dev.cairn.runtime.pass;

import org.jspecify.annotations.NullMarked;
