package dev.cairn.kernels.cpu.movement;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuPadTest}. */
@Tag("long")
class LongCpuPadTest extends CpuPadTest implements AllRounds {}
