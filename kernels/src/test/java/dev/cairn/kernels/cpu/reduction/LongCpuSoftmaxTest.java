package dev.cairn.kernels.cpu.reduction;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuSoftmaxTest}. */
@Tag("long")
class LongCpuSoftmaxTest extends CpuSoftmaxTest implements AllRounds {}
