package dev.cairn.kernels.cpu.movement;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuSliceTest}. */
@Tag("long")
class LongCpuSliceTest extends CpuSliceTest implements AllRounds {}
