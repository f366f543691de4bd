package dev.cairn.kernels.cpu.movement;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuTransposeTest}. */
@Tag("long")
class LongCpuTransposeTest extends CpuTransposeTest implements AllRounds {}
