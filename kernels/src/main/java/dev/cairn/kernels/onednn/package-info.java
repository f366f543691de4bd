/**
 * oneDNN, which computes convolutions and their gradients, matrix products, pooling, softmax and local response
 * normalisation on the processor.
 *
 * <p>Start at {@link dev.cairn.kernels.onednn.OneDnn}: it loads the library, which a jar carries, from a private cache,
 * or says why it is not there. {@code OneDnnCalls} is the only way to the library's functions; each status is checked.
 * A {@code NativeScope} owns handles and destroys them. A {@code Program} is what a kernel does with one call: oneDNN's
 * <em>primitives</em> one after the other, over the call's operands and its workspace, in which all scratch memory and
 * all reordered tensors lie. A {@code Product} is a convolution or matrix product; {@code PostOperations} are the
 * element-wise operators after it. {@code Images} says where an image has its channels. {@code WinogradConvolution}
 * is another kernel for convolutions of plans, around a product of oneDNN. {@code OpenMpRegions} runs
 * loops of Java on the library's threads. {@code OpenMpTeams} decides which threads run regions of several threads, and
 * when. {@code OpenMpSpins} sets how long these threads spin. {@code CallsOnThreads} sets the number of threads before
 * each call that depends on it. To add an operator, describe its program in an {@code OneDnnKernel}, and add its row to
 * {@link dev.cairn.kernels.onednn.OneDnnProvider}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.onednn;

import org.jspecify.annotations.NullMarked;
