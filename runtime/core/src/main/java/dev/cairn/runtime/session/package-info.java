/**
 * Sessions: open a model, run it.
 *
 * <p>Start at {@link dev.cairn.runtime.session.Session}. A <em>session</em> owns a model's weights, variables and plans. A
 * <em>tensor</em> is an input or an output. A <em>result</em> owns the output tensors of one run. A {@link
 * dev.cairn.runtime.session.ModelRun} gets a {@link dev.cairn.runtime.session.GraphExecutor} from the {@link
 * dev.cairn.runtime.session.PlanCache} and passes it the run. A {@link dev.cairn.runtime.session.PlanKey} has what a plan is made for:
 * types, and the {@link dev.cairn.runtime.session.ShapeValues values that decide shapes}. A {@link
 * dev.cairn.runtime.session.LoadedModel} holds a session's state. Its {@link dev.cairn.runtime.session.SessionMemory} counts in a
 * {@link dev.cairn.runtime.budget.MemoryBudget}; runs wait for memory in the budget's {@link dev.cairn.runtime.budget.MemoryQueue}. A
 * {@link dev.cairn.runtime.session.ModelFormat} on the class path reads model files ({@code cairn-onnx} provides ONNX).
 *
 * <p>A model whose shapes depend on computed values runs in parts: a {@link dev.cairn.runtime.session.PartExecutor} plans each
 * {@link dev.cairn.runtime.session.Remainder} once a run knows its types. It runs one {@link dev.cairn.runtime.session.Piece} of this
 * {@link dev.cairn.runtime.session.PartStage} after the other. A {@link dev.cairn.runtime.session.PartsPlan} tells what is known of the
 * parts before a run.
 */
@NullMarked
package dev.cairn.runtime.session;

import org.jspecify.annotations.NullMarked;
