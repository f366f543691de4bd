/**
 * The threads of an engine. A {@code WorkerGroup} serves one queue with its {@code Worker}s, and a {@code Routing}
 * chooses the group of each block. {@code Blocks} runs blocks and ends them, {@code OperationRunner} runs their work
 * and handles failures, {@code StreamRunner} gives work to streams.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.engine.worker;

import org.jspecify.annotations.NullMarked;
