package dev.cairn.kernels.cpu.reduction;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link ArgumentTest}. */
@Tag("long")
class LongArgumentTest extends ArgumentTest implements AllRounds {}
