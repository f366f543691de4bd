package dev.cairn.kernels.cpu.pool;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link PoolGradientTest}. */
@Tag("long")
class LongPoolGradientTest extends PoolGradientTest implements AllRounds {}
