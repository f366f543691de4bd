/**
 * Models that are ready to run. Start at {@link dev.cairn.runtime.session.Session}: it owns a model's weights,
 * variables and plans, in a {@link dev.cairn.runtime.session.LoadedModel}. A {@link
 * dev.cairn.runtime.session.ModelRun} takes a {@link dev.cairn.runtime.session.GraphExecutor} from the {@link
 * dev.cairn.runtime.session.PlanCache}, which has one for each {@link dev.cairn.runtime.session.PlanKey}: types, and
 * the {@link dev.cairn.runtime.session.ShapeValues values that decide shapes}. {@link
 * dev.cairn.runtime.session.ModelPlanner} makes these executors, and {@link dev.cairn.runtime.session.GraphPlacer}
 * places their graphs in memory. A model whose shapes depend on computed values runs in {@link
 * dev.cairn.runtime.parts parts}. {@link dev.cairn.runtime.session.SessionMemory} counts in a
 * {@link dev.cairn.runtime.budget.MemoryBudget}; runs wait for memory in the budget's queue. A {@link
 * dev.cairn.runtime.session.ModelFormat} on the class path reads model files ({@code cairn-onnx} provides ONNX). {@link
 * dev.cairn.runtime.session.SessionRuns} lets other packages of Cairn run a session over memory of theirs.
 */
@NullMarked
package dev.cairn.runtime.session;

import org.jspecify.annotations.NullMarked;
