/**
 * ONNX's notation outside the file format: numbers of element types, domains of operators, and unique names.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.notation.ElementTypes}. All other packages of the module may use this
 * package; it uses only tensors' element types.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.onnx.notation;

import org.jspecify.annotations.NullMarked;
