/**
 * Stores images as the kernels of a device compute them fastest.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.layout.ChannelsLastPass}. A layout is written as a shape: an image with
 * its channels last has shape {@code N,H,W,C}, and {@code Transpose} nodes stand where two layouts meet. So the
 * planner, the memory report and the graph's text need no other notion of layout.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.layout;

import org.jspecify.annotations.NullMarked;
