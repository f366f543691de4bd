package dev.cairn.kernels.cpu.vector;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link VectorMathTest}. */
@Tag("long")
class LongVectorMathTest extends VectorMathTest implements AllRounds {}
