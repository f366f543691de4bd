package dev.cairn.kernels.cpu.movement;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuRepeatTest}. */
@Tag("long")
class LongCpuRepeatTest extends CpuRepeatTest implements AllRounds {}
