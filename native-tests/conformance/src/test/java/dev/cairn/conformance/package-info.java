/**
 * Whether Cairn computes what ONNX means: the standard's own cases, whole models, and ONNX Runtime as oracle.
 *
 * <p>Start at {@link dev.cairn.conformance.NodeCasesTest}: it runs every operator case of the standard and keeps
 * {@code docs/coverage.md} true. A <em>case</em> is a model with inputs and expected outputs; a
 * {@link dev.cairn.conformance.CaseJudge} runs it in several <em>settings</em> (planner, kernels, simplified or not)
 * through {@link dev.cairn.conformance.PlannedRun} and gives a {@link dev.cairn.conformance.Verdict};
 * {@link dev.cairn.conformance.Gaps} decides which of Cairn's refusals count as not <em>claimed</em>, and all others
 * are failures. {@link dev.cairn.conformance.LightModelsTest} and {@link dev.cairn.conformance.ZooModelsTest} do the
 * same for whole networks, with random weights against an {@link dev.cairn.conformance.Oracle};
 * {@link dev.cairn.conformance.RandomOperatorsTest} for every operator on seeded random shapes, and {@link
 * dev.cairn.conformance.RandomModelsTest} for random models of many operators. {@link
 * dev.cairn.conformance.FuzzModelsTest} and {@link dev.cairn.conformance.FuzzFilesTest} damage models, arrays and
 * traces, and ask only that each is refused by an exception that is documented, or works. Larger models, further cases
 * and further planners are tagged {@code long}: {@code mvn -Pall} runs them. The last four have soaks, too; those of
 * models and files take a seed of your choice, that of operators a number of cases for each (500, which take six minutes
 * in all) and the names of some operators:
 *
 * <pre> mvn -Psoak -pl native-tests/conformance -am test -Dtest='Fuzz*Test,RandomModelsTest,RandomOperatorsTest'
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.soak.seed=7 -Dcairn.soak.cases=500
 *   -Dcairn.soak.operators=Conv,MatMul </pre>
 *
 * <p>A new operator needs one line in the map of its family ({@code ElementwiseCases}, {@code SummingCases},
 * {@code MovingCases}), or the test that compares these with the table fails; then make the page again. Nothing here
 * is timed.
 */
@NullMarked
package dev.cairn.conformance;

import org.jspecify.annotations.NullMarked;
