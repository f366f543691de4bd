/**
 * Runs operations in the order that the variables they read and write demand. Knows no graph.
 *
 * <p>Start at {@link dev.cairn.runtime.engine.Engine}; {@link dev.cairn.runtime.engine.EngineOptions} chooses one. A
 * <em>variable</em> stands for something that operations touch, a piece of memory for one; a <em>footprint</em> says
 * what an <em>operation</em> reads and writes; a <em>block</em> is one push of it. An operation runs when everything
 * pushed before it that writes what it reads, or touches what it writes, has ended.
 *
 * <p>A failed operation <em>poisons</em> what it writes; who reads or changes a poisoned variable is skipped and passes
 * the poison on, until an operation that overwrites the variable has run. A wait for a poisoned variable throws each
 * time; a wait for all throws each failure that no wait has thrown, once. Deletes always run.
 *
 * <p>{@code Variables} makes variables, each {@code Variable} holds its queue, {@code ThreadedEngine} pushes and ends
 * blocks, a {@code Routing} says which
 * {@code WorkerGroup} runs what: for another way to place work on threads write another routing. {@code
 * NaiveEngine} runs each operation at once, on the caller: the reference, and the first thing to switch to in a bug
 * hunt. {@code OperationRunner} knows what a failure means, on every engine; {@code StreamRunner} gives work to the
 * streams of devices, and {@code DeviceStreams} waits for them. The rules are MXNet's dependency engine's, without its
 * defects: docs/engine.md.
 *
 * <p>More than 30 files, because the parts of an engine share state that is
 * package-private; users see {@code Engine}, {@code EngineOptions}, operations and variables.
 */
@NullMarked
package dev.cairn.runtime.engine;

import org.jspecify.annotations.NullMarked;
