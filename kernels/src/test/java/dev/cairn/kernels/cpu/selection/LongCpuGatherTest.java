package dev.cairn.kernels.cpu.selection;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuGatherTest}. */
@Tag("long")
class LongCpuGatherTest extends CpuGatherTest implements AllRounds {}
