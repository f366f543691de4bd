package dev.cairn.kernels.cpu.reduction;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuCumulativeTest}. */
@Tag("long")
class LongCpuCumulativeTest extends CpuCumulativeTest implements AllRounds {}
