/**
 * NNVM's memory planning, to the bit: PlanMemory as NNVM, TVM and MXNet run it.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.nnvm.PlanMemory}: an
 * {@link dev.cairn.runtime.memory.planner.nnvm.NnvmGraph} in, a
 * {@link dev.cairn.runtime.memory.planner.nnvm.StoragePlan} out. An <em>entry</em> is one output of one node, known by
 * its number in node order; a <em>storage</em> is a block of memory, known by its id, that entries take one after the
 * other; an id below 0 is {@linkplain dev.cairn.runtime.memory.planner.nnvm.StorageId no storage}. The pass walks the
 * nodes ({@code AllocationWalk}) and asks {@link dev.cairn.runtime.memory.planner.nnvm.GraphAllocator} for storages.
 *
 * <p>{@link dev.cairn.runtime.memory.planner.nnvm.PooledStorages} turns an answer into problem and plan for the judge;
 * {@link dev.cairn.runtime.memory.planner.nnvm.NnvmPlanner} serves plain memory problems with the same allocator.
 * Nothing here knows of operators: what a node may do in place is told by
 * {@link dev.cairn.runtime.memory.planner.nnvm.NodeTraits}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.nnvm;

import org.jspecify.annotations.NullMarked;
