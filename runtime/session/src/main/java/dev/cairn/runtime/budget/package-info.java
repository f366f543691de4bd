/**
 * Memory that several sessions share. A {@link dev.cairn.runtime.budget.MemoryBudget} limits what its members hold
 * together, and a run that finds no memory waits in the {@link dev.cairn.runtime.budget.MemoryQueue}.
 */
@NullMarked
package dev.cairn.runtime.budget;

import org.jspecify.annotations.NullMarked;
