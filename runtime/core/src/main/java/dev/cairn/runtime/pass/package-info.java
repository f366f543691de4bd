/**
 * Passes over graphs, and the manager that runs them.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.Pass}: a name, the facts it needs, and a function from graph to graph.
 * The {@link dev.cairn.runtime.pass.PassManager} runs a list of them in order or until nothing changes, gives each
 * the facts it asked for, judges every graph that comes out, and keeps a {@link dev.cairn.runtime.pass.PassReport}. A
 * <em>round</em> is one walk through a list that is repeated. Which passes there are, and in which order they run, is
 * said elsewhere: passes stand in packages below this one, one family each, and never call each other. How facts are
 * found out is injected, so that nothing here knows of operators.
 */
@NullMarked
package dev.cairn.runtime.pass;

import org.jspecify.annotations.NullMarked;
