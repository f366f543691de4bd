package dev.cairn.kernels.cpu.pool;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link PoolTest}. */
@Tag("long")
class LongPoolTest extends PoolTest implements AllRounds {}
