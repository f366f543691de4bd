/**
 * The main API: open a model, run it, read the results.
 *
 * <p>Start at {@link dev.cairn.runtime.Session}. A <em>session</em> owns a model's weights, variables and plans. A
 * <em>tensor</em> is an input or an output. A <em>result</em> owns the output tensors of one run. A {@link
 * dev.cairn.runtime.ModelRun} gets a {@link dev.cairn.runtime.GraphExecutor} from the {@link
 * dev.cairn.runtime.PlanCache} and passes it the run. A {@link dev.cairn.runtime.PlanKey} has what a plan is made for:
 * types, and the {@link dev.cairn.runtime.ShapeValues values that decide shapes}. A {@link
 * dev.cairn.runtime.LoadedModel} holds a session's state. Its {@link dev.cairn.runtime.SessionMemory} counts in a
 * {@link dev.cairn.runtime.MemoryBudget}; runs wait for memory in the budget's {@link dev.cairn.runtime.MemoryQueue}. A
 * {@link dev.cairn.runtime.ModelFormat} on the class path reads model files ({@code cairn-onnx} provides ONNX).
 *
 * <p>A model whose shapes depend on computed values runs in parts: a {@link dev.cairn.runtime.PartExecutor} plans each
 * {@link dev.cairn.runtime.Remainder} once a run knows its types. It runs one {@link dev.cairn.runtime.Piece} of this
 * {@link dev.cairn.runtime.PartStage} after the other. A {@link dev.cairn.runtime.PartsPlan} tells what is known of the
 * parts before a run.
 */
@NullMarked
package dev.cairn.runtime;

import org.jspecify.annotations.NullMarked;
