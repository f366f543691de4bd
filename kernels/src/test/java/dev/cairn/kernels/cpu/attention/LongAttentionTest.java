package dev.cairn.kernels.cpu.attention;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link AttentionTest}. */
@Tag("long")
class LongAttentionTest extends AttentionTest implements AllRounds {}
