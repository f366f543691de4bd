/**
 * NNVM's memory planning, reproduced exactly: PlanMemory as in NNVM, TVM and MXNet.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.nnvm.PlanMemory}: an {@link
 * dev.cairn.runtime.memory.planner.nnvm.NnvmGraph} in, a {@link dev.cairn.runtime.memory.planner.nnvm.StoragePlan} out.
 * An <em>entry</em> is one output of one node, numbered in node order. A <em>storage</em> is a block of memory with an
 * id, which several entries use one after the other; an id below 0 is {@linkplain
 * dev.cairn.runtime.memory.planner.nnvm.StorageId no storage}. The pass walks the nodes ({@code AllocationWalk}) and
 * asks {@link dev.cairn.runtime.memory.planner.nnvm.GraphAllocator} for storages.
 *
 * <p>{@link dev.cairn.runtime.memory.planner.nnvm.PooledStorages} turns an answer into a problem and a plan for the
 * validator; {@link dev.cairn.runtime.memory.planner.nnvm.NnvmPlanner} serves plain memory problems with the same
 * allocator. This package does not depend on operators: {@link dev.cairn.runtime.memory.planner.nnvm.NodeTraits} tells
 * which inputs a node may overwrite.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.nnvm;

import org.jspecify.annotations.NullMarked;
