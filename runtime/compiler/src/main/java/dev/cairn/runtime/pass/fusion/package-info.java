/**
 * Operators that compute each element by itself, put together so that memory is read and written once.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.fusion.PointwiseFusionPass}. {@link
 * dev.cairn.runtime.pass.fusion.PointwiseGroups} decides which nodes belong together, a {@code FusedGroup} is one such
 * group and makes its node, {@link dev.cairn.runtime.pass.fusion.FusedOperator} is what the rest of the runtime must
 * know of such nodes, and {@link dev.cairn.runtime.pass.fusion.FusionMap} finds the nodes of before in them again. What
 * comes of that joins the product before it by {@link dev.cairn.runtime.pass.fusion.ProductFusionPass}, of which {@link
 * dev.cairn.runtime.pass.fusion.ProductEpilogues}, {@code EpilogueGroup} and {@link
 * dev.cairn.runtime.pass.fusion.FusedProductOperator} are the same.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.fusion;

import org.jspecify.annotations.NullMarked;
