package dev.cairn.kernels.cpu.signal;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuSignalTest}. */
@Tag("long")
class LongCpuSignalTest extends CpuSignalTest implements AllRounds {}
