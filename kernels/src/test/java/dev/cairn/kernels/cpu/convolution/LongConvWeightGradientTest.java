package dev.cairn.kernels.cpu.convolution;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link ConvWeightGradientTest}. */
@Tag("long")
class LongConvWeightGradientTest extends ConvWeightGradientTest implements AllRounds {}
