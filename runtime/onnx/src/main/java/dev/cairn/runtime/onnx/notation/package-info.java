/**
 * ONNX's way of writing things down, apart from the file itself: numbers of element types, names that must not clash.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.notation.ElementTypes}. Everything else in the module may use this
 * package; it uses nothing but tensors' element types.
 */
@NullMarked
package dev.cairn.runtime.onnx.notation;

import org.jspecify.annotations.NullMarked;
