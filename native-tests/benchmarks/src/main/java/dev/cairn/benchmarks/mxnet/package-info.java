/**
 * MXNet's library, for benchmarks and tests that compare with MXNet.
 *
 * <p>Start at {@link dev.cairn.benchmarks.mxnet.MxnetLibrary}. The library is no dependency: an option says where it
 * lies. Its jar, {@code mxnet-native-mkl} of {@code ai.djl.mxnet} at 1.9.1 with classifier {@code linux-x86_64}, is on
 * Maven Central, 47 MB.
 */
@NullMarked
package dev.cairn.benchmarks.mxnet;

import org.jspecify.annotations.NullMarked;
