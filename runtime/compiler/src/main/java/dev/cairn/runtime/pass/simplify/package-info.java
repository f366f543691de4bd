/**
 * Simplification passes: they remove nodes, and compute before the first run whatever does not depend on inputs.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.simplify.ConstantFoldingPass}. {@code StandardPipelines} has their order.
 * There is no pass for dead nodes: a graph has only the nodes that its outputs need. Types have concrete extents, so a
 * simplified graph is valid only for the input extents that it was simplified for. An entry's <em>readers</em> are the
 * nodes and graph outputs that read it; an entry with one reader can be merged into it. Constants from these passes are
 * native memory that the garbage collector reclaims.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.simplify;

import org.jspecify.annotations.NullMarked;
