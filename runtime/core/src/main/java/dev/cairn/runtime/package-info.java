/**
 * The main API: open a model, run it, read the results.
 *
 * <p>Start at {@link dev.cairn.runtime.Session}. A <em>session</em> owns a model's weights, variables and plans. A
 * <em>tensor</em> is an input or an output. A <em>result</em> owns the output tensors of one run. A {@link
 * dev.cairn.runtime.ModelRun} passes a run to its {@link dev.cairn.runtime.GraphExecutor}; a {@link
 * dev.cairn.runtime.LoadedModel} holds a session's state. A {@link dev.cairn.runtime.ModelFormat} on the class path
 * reads model files ({@code cairn-onnx} provides ONNX).
 */
@NullMarked
package dev.cairn.runtime;

import org.jspecify.annotations.NullMarked;
