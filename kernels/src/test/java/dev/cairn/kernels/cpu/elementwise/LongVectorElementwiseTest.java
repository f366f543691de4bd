package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link VectorElementwiseTest}. */
@Tag("long")
class LongVectorElementwiseTest extends VectorElementwiseTest implements AllRounds {}
