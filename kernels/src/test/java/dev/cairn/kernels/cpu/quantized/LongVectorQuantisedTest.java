package dev.cairn.kernels.cpu.quantized;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link VectorQuantisedTest}. */
@Tag("long")
class LongVectorQuantisedTest extends VectorQuantisedTest implements AllRounds {}
