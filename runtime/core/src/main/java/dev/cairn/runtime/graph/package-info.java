/**
 * The intermediate representation: a model as nodes and the entries between them.
 *
 * <p>Start at {@link dev.cairn.runtime.graph.Graph}. A <em>node</em> is one input, constant, variable, assign or use
 * of an operator; an <em>entry</em> is one of a node's results, and what nodes read; a <em>graph</em> is named outputs
 * and all that they need. Nodes have identity and never change: a pass builds new nodes with a {@link
 * dev.cairn.runtime.graph.GraphRewriter} and leaves the rest shared. An {@link dev.cairn.runtime.graph.IndexedGraph}
 * numbers nodes and entries, for everything that wants arrays. A <em>variable</em> is state that outlives a run; an
 * <em>assign</em> gives it another value, and is itself the entry of that value. Nothing here knows what an operator
 * means.
 */
@NullMarked
package dev.cairn.runtime.graph;

import org.jspecify.annotations.NullMarked;
