package dev.cairn.kernels.cpu;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link PoolTest}. */
@Tag("long")
class LongPoolTest extends PoolTest implements AllRounds {}
