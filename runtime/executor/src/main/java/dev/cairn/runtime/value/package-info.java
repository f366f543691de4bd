/**
 * What runs are given and return. A {@link dev.cairn.runtime.value.Tensor} is an input or an output, over {@link
 * dev.cairn.runtime.value.TensorMemory bytes} on the heap, in native memory or on a GPU. A {@link
 * dev.cairn.runtime.value.Result} owns the outputs of one run. {@link dev.cairn.runtime.value.Ownership} frees
 * what a forgotten object holds.
 */
@NullMarked
package dev.cairn.runtime.value;

import org.jspecify.annotations.NullMarked;
