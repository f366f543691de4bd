/**
 * Variables, operations and their order. Each {@code Variable} is its own queue, in two layers: a {@code LockedWord},
 * and the {@code WaitingLine} that the word's lock guards. An {@code Operation} touches the variables of its
 * {@code Footprint}; an {@code OperationBlock} is one push of it, and waits at them. A {@code ReadyQueue} holds blocks
 * that may run. A {@code BulkBuffer} holds operations back to push them as one.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.engine.queue;

import org.jspecify.annotations.NullMarked;
