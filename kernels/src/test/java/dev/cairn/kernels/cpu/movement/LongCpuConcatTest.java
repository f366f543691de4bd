package dev.cairn.kernels.cpu.movement;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuConcatTest}. */
@Tag("long")
class LongCpuConcatTest extends CpuConcatTest implements AllRounds {}
