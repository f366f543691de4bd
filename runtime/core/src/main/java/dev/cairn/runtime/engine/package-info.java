/**
 * Runs tasks in the order that the variables they read and write demand. Knows no graph.
 *
 * <p>Start at {@link dev.cairn.runtime.engine.Engine}. A <em>variable</em> stands for something that tasks read and
 * write, a piece of memory for one; a <em>task</em> runs when everything pushed before it that writes what it reads, or
 * touches what it writes, has ended. The {@link dev.cairn.runtime.engine.NaiveEngine} runs each task at once, on the
 * caller: it is the reference, and the first thing to switch to in a bug hunt. After MXNet's dependency engine.
 */
@NullMarked
package dev.cairn.runtime.engine;

import org.jspecify.annotations.NullMarked;
