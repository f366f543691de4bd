/** Bytes. */
@org.jspecify.annotations.NullMarked
package dev.cairn.allocator;
