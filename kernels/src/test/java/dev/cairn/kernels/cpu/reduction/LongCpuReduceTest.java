package dev.cairn.kernels.cpu.reduction;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuReduceTest}. */
@Tag("long")
class LongCpuReduceTest extends CpuReduceTest implements AllRounds {}
