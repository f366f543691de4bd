package dev.cairn.kernels.cpu.product;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link CpuFusedProductTest}. */
@Tag("long")
class LongCpuFusedProductTest extends CpuFusedProductTest implements AllRounds {}
