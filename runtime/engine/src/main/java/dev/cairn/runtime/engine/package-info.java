/**
 * Runs operations in an order that respects the variables that they read and write. Does not depend on graphs.
 *
 * <p>Start at {@link dev.cairn.runtime.engine.Engine}; {@link dev.cairn.runtime.engine.EngineOptions} chooses one. A
 * <em>variable</em> stands for a resource of operations, such as a piece of memory. A <em>footprint</em> lists the
 * variables that an <em>operation</em> reads and writes. A <em>block</em> is one push of an operation. An operation
 * runs once all earlier writers of its inputs, and all earlier readers and writers of its outputs, have ended.
 *
 * <p>A failed operation <em>poisons</em> the variables that it writes. The engine skips operations that read or modify
 * a poisoned variable, and poisons their outputs, until an operation overwrites the variable. A wait for a poisoned
 * variable throws each time; a wait for all throws each unreported failure once. Deletes always run.
 *
 * <p>The packages below are the rooms of an engine: {@code failure}, {@code stream}, {@code queue} and {@code worker};
 * each uses only those named before it. {@code ThreadedEngine} pushes blocks and waits; {@code DeviceRouting} lists its
 * groups of threads: write another routing to distribute work in another way. {@code NaiveEngine} runs each operation
 * at once on the calling thread: use it first when you look for a bug. The rules are those of MXNet's dependency
 * engine, without its defects: see docs/engine.md.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.engine;

import org.jspecify.annotations.NullMarked;
