/**
 * The intermediate representation: a model as nodes and the entries between them.
 *
 * <p>Start at {@link dev.cairn.runtime.graph.Graph}. A <em>node</em> is one input, constant, variable, assign or use of
 * an operator; an <em>entry</em> is one result of a node, which other nodes read; a <em>graph</em> is a set of named
 * outputs and all nodes that they need. Nodes have identity and never change: a pass builds new nodes with a {@link
 * dev.cairn.runtime.graph.GraphRewriter} and shares the others. An {@link dev.cairn.runtime.graph.IndexedGraph} numbers
 * nodes and entries, for code that uses arrays. A <em>variable</em> keeps its value between runs; an <em>assign</em>
 * gives it a new value, and its entry is that value. A node may also run <em>bodies</em>, graphs whose inputs are
 * <em>parameters</em>: a {@link dev.cairn.runtime.graph.NodeKind.Branch} is ONNX's {@code If}, a {@link
 * dev.cairn.runtime.graph.NodeKind.Repeat} its {@code Loop} or {@code Scan}. What a body reads from outside is a
 * <em>captured</em> operand of the node. This package does not know the meaning of operators.
 */
@NullMarked
package dev.cairn.runtime.graph;

import org.jspecify.annotations.NullMarked;
