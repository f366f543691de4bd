/**
 * Writes operators that ONNX defines as functions of others with those others.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.expand.OperatorExpansions}, the table. Nothing else knows these operators:
 * they have neither type rules nor kernels, but for {@code Einsum}, of which only some forms are products. Operators of
 * domain com.microsoft are in the table under their domain's name. An expansion is an {@link
 * dev.cairn.runtime.onnx.upgrade.Upgrade} for every opset; the last of its nodes has the old node's name. To add one,
 * write one file and a row in the table.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.onnx.expand;

import org.jspecify.annotations.NullMarked;
