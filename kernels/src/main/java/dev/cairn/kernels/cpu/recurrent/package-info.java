/**
 * Recurrent networks, and other operators that carry a state from step to step.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.recurrent.CpuRecurrent} and its twin {@link
 * dev.cairn.kernels.cpu.recurrent.VectorRecurrent}. The twin multiplies the inputs of all steps at once in {@link
 * dev.cairn.kernels.cpu.recurrent.RecurrentInput}, and then computes step after step in {@link
 * dev.cairn.kernels.cpu.recurrent.RecurrentSteps}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.recurrent;

import org.jspecify.annotations.NullMarked;
