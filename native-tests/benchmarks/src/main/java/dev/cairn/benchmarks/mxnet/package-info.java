/**
 * Cairn's NNVM mode beside MXNet's own planner: the same graphs are given to both, and both say how many bytes they
 * would allocate.
 *
 * <p>Start at {@link dev.cairn.benchmarks.mxnet.MxnetBenchmark}. MXNet's library is no dependency: who wants the
 * comparison says where it lies. Its jar, {@code mxnet-native-mkl} of {@code ai.djl.mxnet} at 1.9.1 with classifier
 * {@code linux-x86_64}, is on Maven Central, 47 MB. A {@code SymbolGraph} is a graph that both understand. {@link
 * dev.cairn.benchmarks.mxnet.MxnetLibrary} serves other benchmarks that compare with MXNet.
 */
@NullMarked
package dev.cairn.benchmarks.mxnet;

import org.jspecify.annotations.NullMarked;
