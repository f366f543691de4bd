/**
 * Rules by which operators infer types in part, for symbols.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.partial.PartialRule}. A rule gets a {@link
 * dev.cairn.runtime.operator.partial.PartialCall} for one use of an operator, reads the known facts of operands and
 * results, and adds to them. The rows of operators, in {@code operator.family}, name the rules; each file has those of
 * a family. {@code runtime.symbol} sweeps over the nodes until no rule adds a fact.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.operator.partial;

import org.jspecify.annotations.NullMarked;
