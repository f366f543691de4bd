/**
 * The front door: open a model, run it, read the results.
 *
 * <p>Start at {@link dev.cairn.runtime.Session}. A <em>session</em> owns a model's weights, variables and
 * plans; a
 * <em>tensor</em> is a value that goes in or comes out; a <em>result</em> owns the tensors of one run. A {@link
 * dev.cairn.runtime.ModelRun} takes a run to its {@link dev.cairn.runtime.GraphExecutor}; a {@link
 * dev.cairn.runtime.LoadedModel} is all that a session holds. Model files are
 * read by a {@link dev.cairn.runtime.ModelFormat} found on the class path ({@code cairn-onnx} brings ONNX).
 */
@NullMarked
package dev.cairn.runtime;

import org.jspecify.annotations.NullMarked;
