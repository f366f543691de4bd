package dev.cairn.kernels.cpu.convolution;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link ConvolutionTest}. */
@Tag("long")
class LongConvolutionTest extends ConvolutionTest implements AllRounds {}
