package dev.cairn.allocator.report;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link ReleasingSetTest}. */
@Tag("long")
class LongReleasingSetTest extends ReleasingSetTest implements AllRounds {}
