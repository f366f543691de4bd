/**
 * How good memory plans are, and how fast they are made.
 *
 * <p>Start at {@link dev.cairn.benchmarks.planning.PlanningBenchmark}, which has the list of tables. A {@code
 * PlanningTable} makes sections of the page. A {@code NamedProblem} is what is planned: MiniMalloc's hard sets, traces
 * of training runs, Cairn's own models, and generated ones of any size. Planners come from {@code
 * compile.PlannerChoice}, all of them; what is judged is the one that stands alone ({@code StandAlonePlanning}) and the
 * default one. Every plan is judged valid before it counts. To add a table, write one class and name it in the list.
 */
@NullMarked
package dev.cairn.benchmarks.planning;

import org.jspecify.annotations.NullMarked;
