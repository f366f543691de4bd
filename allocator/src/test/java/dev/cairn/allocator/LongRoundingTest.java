package dev.cairn.allocator;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link RoundingTest}. */
@Tag("long")
class LongRoundingTest extends RoundingTest implements AllRounds {}
