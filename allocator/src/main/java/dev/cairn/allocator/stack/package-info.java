/**
 * The one place that puts layers in order: {@link dev.cairn.allocator.stack.AllocatorStack}, which says what the order
 * is, and why.
 */
@NullMarked
package dev.cairn.allocator.stack;

import org.jspecify.annotations.NullMarked;
