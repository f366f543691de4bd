/**
 * Passes that say the same with less: fewer nodes, no work that can be done before the first run.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.simplify.ConstantFoldingPass}. In which order the passes run is said
 * once, where the pipeline is wired. There is no pass for dead nodes: a graph holds only
 * what its outputs need. Types have concrete extents, so a simplified graph holds for the extents of its inputs that
 * it was simplified for. An entry's <em>readers</em> are the nodes and graph outputs that read it; what has one
 * reader can be merged into it. Constants made here are native memory that lives as long as it can be reached.
 */
@NullMarked
package dev.cairn.runtime.pass.simplify;

import org.jspecify.annotations.NullMarked;
