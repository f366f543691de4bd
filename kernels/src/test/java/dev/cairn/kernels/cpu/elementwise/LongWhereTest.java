package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link WhereTest}. */
@Tag("long")
class LongWhereTest extends WhereTest implements AllRounds {}
