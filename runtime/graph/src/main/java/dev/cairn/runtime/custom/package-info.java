/**
 * Operators of users.
 *
 * <p>Start at {@link dev.cairn.runtime.custom.OperatorRegistry}, which options of sessions and arrays take: it adds
 * operators to Cairn's own table and catalog. A {@link dev.cairn.runtime.custom.KernelOperator} has a kernel in Java,
 * in CUDA C, or both. A {@link dev.cairn.runtime.custom.CompositeOperator} consists of other operators. Names have a
 * domain, {@code my::Square}, so they never clash with ONNX's.
 */
@NullMarked
package dev.cairn.runtime.custom;

import org.jspecify.annotations.NullMarked;
