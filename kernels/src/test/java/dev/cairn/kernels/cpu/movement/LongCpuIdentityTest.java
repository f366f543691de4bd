package dev.cairn.kernels.cpu.movement;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuIdentityTest}. */
@Tag("long")
class LongCpuIdentityTest extends CpuIdentityTest implements AllRounds {}
