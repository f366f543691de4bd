/**
 * What operators tell of types that are known in part, for symbols.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.partial.PartialRule}. A rule gets a {@link
 * dev.cairn.runtime.operator.partial.PartialCall} for one use of an operator, reads what is known of operands and
 * results, and tells more. The rows of operators, in {@code operator.family}, name the rules; each file has those of a
 * family. {@code runtime.symbol} sweeps over the nodes until no rule tells more.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.operator.partial;

import org.jspecify.annotations.NullMarked;
