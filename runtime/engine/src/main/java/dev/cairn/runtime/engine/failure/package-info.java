/**
 * What becomes of failures: {@code Failures} keeps those that no wait has thrown, a {@code FailureRecord} is the poison
 * of a variable, {@code OperationFailed} is what waits throw.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.engine.failure;

import org.jspecify.annotations.NullMarked;
