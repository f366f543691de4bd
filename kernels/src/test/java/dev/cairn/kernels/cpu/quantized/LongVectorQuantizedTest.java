package dev.cairn.kernels.cpu.quantized;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link VectorQuantizedTest}. */
@Tag("long")
class LongVectorQuantizedTest extends VectorQuantizedTest implements AllRounds {}
