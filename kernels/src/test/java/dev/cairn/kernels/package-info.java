/**
 * What the kernel tests share.
 *
 * <p>Start at {@link dev.cairn.kernels.KernelRunner}, which runs kernels by operator name; {@link
 * dev.cairn.kernels.TestTensors} makes and reads tensors, and {@link dev.cairn.kernels.Tolerance} says how far two
 * results may differ. The tests themselves lie in the packages of what they test.
 */
@NullMarked
package dev.cairn.kernels;

import org.jspecify.annotations.NullMarked;
