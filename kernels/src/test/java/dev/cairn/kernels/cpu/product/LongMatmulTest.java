package dev.cairn.kernels.cpu.product;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link MatmulTest}. */
@Tag("long")
class LongMatmulTest extends MatmulTest implements AllRounds {}
