/**
 * Passes over graphs, and the manager that runs them.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.Pass}: a name, the facts it needs, and a function from graph to graph. Many
 * passes implement {@link dev.cairn.runtime.pass.NodeRule}, which matches and replaces single nodes; it gets types,
 * readers and names from a {@link dev.cairn.runtime.pass.RewriteContext}. The
 * {@link dev.cairn.runtime.pass.PassManager} runs a list of passes in order or until nothing changes. It gives each
 * pass the facts that it needs, validates every resulting graph, and keeps a {@link dev.cairn.runtime.pass.PassReport}.
 * A <em>round</em> is one walk through a repeated list. Each package below has one family of passes; passes never call
 * each other. {@code StandardPipelines} has the order. Facts are injected, so that this package does not depend on
 * operators.
 */
@NullMarked
package dev.cairn.runtime.pass;

import org.jspecify.annotations.NullMarked;
