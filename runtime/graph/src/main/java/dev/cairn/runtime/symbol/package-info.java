/**
 * Symbols: graphs that are composed by name, before their types are known.
 *
 * <p>Start at {@link dev.cairn.runtime.symbol.Symbol}: named outputs over nodes of the intermediate representation,
 * whose inputs are free <em>variables</em>. It has all functions of {@code runtime.expression}, so that an expression
 * means the same on symbols and on arrays. {@link dev.cairn.runtime.symbol.NameScope} names nodes, and {@link
 * dev.cairn.runtime.symbol.NoteScope} gives them <em>notes</em>. A {@link dev.cairn.runtime.graph.PartialType} may
 * leave parts of a type <em>open</em>. {@link dev.cairn.runtime.symbol.SymbolTypes} is what inference found, forwards
 * and backwards, by the rules that operators name in their rows ({@code operator.partial}). A closed symbol is a
 * {@link dev.cairn.runtime.graph.Graph}, which sessions run. This package knows neither arrays nor kernels. Rules have
 * names, S-1 to S-5: docs/symbols.md explains them.
 */
@NullMarked
package dev.cairn.runtime.symbol;

import org.jspecify.annotations.NullMarked;
