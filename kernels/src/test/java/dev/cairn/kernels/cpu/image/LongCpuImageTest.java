package dev.cairn.kernels.cpu.image;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuImageTest}. */
@Tag("long")
class LongCpuImageTest extends CpuImageTest implements AllRounds {}
