/**
 * The operators that Cairn knows: one row an operator, one file a family.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.family.StandardOperators}. A <em>family</em> is operators whose rules
 * are alike; its {@code ROWS} are all that the rest of Cairn sees of it. Rules follow ONNX operator set 22 and
 * compute types only: they read a value where a shape depends on it, and never an element more. How windows slide and
 * what slices select is written once, in the kernels' module, and used from there. To add an operator, add a row to
 * its family; a new family is one more line in {@code StandardOperators}.
 */
@NullMarked
package dev.cairn.runtime.operator.family;

import org.jspecify.annotations.NullMarked;
