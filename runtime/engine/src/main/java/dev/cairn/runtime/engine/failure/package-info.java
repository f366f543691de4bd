/**
 * Failures of operations: {@code Failures} keeps those that no wait has thrown, a {@code FailureRecord} is the poison
 * of a variable, and waits throw {@code OperationFailed}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.engine.failure;

import org.jspecify.annotations.NullMarked;
