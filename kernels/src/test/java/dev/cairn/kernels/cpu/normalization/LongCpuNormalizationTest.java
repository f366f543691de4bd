package dev.cairn.kernels.cpu.normalization;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuNormalizationTest}. */
@Tag("long")
class LongCpuNormalizationTest extends CpuNormalizationTest implements AllRounds {}
