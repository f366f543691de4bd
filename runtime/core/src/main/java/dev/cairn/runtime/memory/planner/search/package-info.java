/**
 * The exact search.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.search;

import org.jspecify.annotations.NullMarked;
