/**
 * The main API: open a model, run it, read the results.
 *
 * <p>Start at {@link dev.cairn.runtime.Session}. A <em>session</em> owns a model's weights, variables and plans; a
 * <em>tensor</em> is a value that goes in or comes out; a <em>result</em> owns the tensors of one run. A {@link
 * dev.cairn.runtime.ModelRun} takes a run to its {@link dev.cairn.runtime.GraphExecutor}, which it finds in the {@link
 * dev.cairn.runtime.PlanCache}. A {@link dev.cairn.runtime.LoadedModel} is all that a session holds. Its memory is a
 * {@link dev.cairn.runtime.SessionMemory}, which counts in a {@link dev.cairn.runtime.MemoryBudget}; runs wait for
 * memory in the budget's {@link dev.cairn.runtime.MemoryQueue}. A {@link dev.cairn.runtime.ModelFormat} found on the
 * class path reads model files ({@code cairn-onnx} brings ONNX).
 *
 * <p>More than 30 files, because the parts of a session use each other's package-private types, which users must not
 * see.
 */
@NullMarked
package dev.cairn.runtime;

import org.jspecify.annotations.NullMarked;
