package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.random.CpuRandom;
import dev.cairn.kernels.tensor.DType;
import java.util.List;

/** Random tensors. */
public final class RandomKernels {
  public static final List<KernelRow> ROWS = List.of(
    row("Bernoulli", CpuRandom::bernoulli),
    row("Multinomial", CpuRandom::multinomial),
    row("RandomNormal", CpuRandom::normal),
    row("RandomNormalLike", CpuRandom::normalLike),
    row("RandomUniform", CpuRandom::uniform),
    row("RandomUniformLike", CpuRandom::uniformLike));

  private RandomKernels() {}

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_OUTPUT, DType.COMPUTED, kernel);
  }
}
