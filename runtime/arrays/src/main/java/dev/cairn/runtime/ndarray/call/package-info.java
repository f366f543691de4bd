/**
 * Calls over ranges of arrays, each one operation of the engine. An {@code Invoker} turns a call of an operator into an
 * {@code Invocation}, which reads its operands and writes its results, on every device; {@code ArrayFootprint} says
 * what an operation touches. {@code DeviceCopies} moves bytes between devices, {@code SelectionWrite} overwrites parts,
 * {@code FunctionCalls} runs functions of the program, {@code SessionCalls} runs sessions, and {@code HostAccess} lets
 * the caller read and write bytes in the engine's order. No tape and no sketch follows these calls: arrays ask them
 * before.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.ndarray.call;

import org.jspecify.annotations.NullMarked;
