package dev.cairn.kernels.cpu;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuReduceTest}. */
@Tag("long")
class LongCpuReduceTest extends CpuReduceTest implements AllRounds {}
